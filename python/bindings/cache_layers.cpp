#include "python/bindings/cache_layers.hpp"

#include <utility>

#include "core/check.hpp"

namespace kvarium::python {

CacheLayers::CacheLayers(std::vector<CacheArrays> caches, const std::vector<std::int64_t>& layers,
                         std::int64_t first_head)
    : caches_(std::move(caches)) {
  KVARIUM_VALIDATE(caches_.size() == layers.size(), "there are ", caches_.size(), " caches but ", layers.size(),
                   " layer numbers; give one for each");
  for (std::size_t i = 0; i < layers.size(); ++i) layers_.push_back({caches_[i].view, layers[i], first_head});
}

std::vector<PagedCacheView> CacheLayers::views() const {
  std::vector<PagedCacheView> views;
  for (const CacheLayer& layer : layers_) views.push_back(layer.cache);
  return views;
}

}  // namespace kvarium::python
