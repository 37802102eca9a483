#pragma once

#include <utility>
#include <vector>

#include "core/paged_cache_view.hpp"
#include "sim/faults/earlier_content.hpp"

namespace kvarium {

/// Earlier contents that other caches of the same geometry hold: block b of layer l held what block b of view l holds.
class EarlierCaches final : public EarlierContent {
 public:
  /// What `layers` point at must outlive this.
  explicit EarlierCaches(std::vector<PagedCacheView> layers) : layers_(std::move(layers)) {}

  bool fill(const LayerBlock& place, float* key, float* value) const override;

 private:
  std::vector<PagedCacheView> layers_;
};

}  // namespace kvarium
