#pragma once

#include <vector>

#include "kernels/checksums/checksum_family.hpp"
#include "python/bindings/cache_arrays.hpp"

namespace kvarium::python {

/// The caches of a model's layers, in order, each with its place in the model; no copy.
class CacheLayers {
 public:
  /// Errors: InputError for unlike numbers of caches and layers.
  CacheLayers(std::vector<CacheArrays> caches, const std::vector<std::int64_t>& layers, std::int64_t first_head);

  const std::vector<CacheLayer>& layers() const { return layers_; }
  /// The same without their places.
  std::vector<PagedCacheView> views() const;

 private:
  std::vector<CacheArrays> caches_;  // what the views point at lives as long as these
  std::vector<CacheLayer> layers_;
};

}  // namespace kvarium::python
