#include "core/paged_cache_view.hpp"

#include "core/check.hpp"

namespace kvarium {

PagedCacheView dense_cache_view(const CacheGeometry& geometry, std::byte* key, std::byte* value) {
  validate(geometry);
  PagedCacheView view;
  view.geometry = geometry;
  view.key = {key, key_strides(geometry)};
  view.value = {value, value_strides(geometry)};
  if (geometry.layout == CacheLayout::packed) {
    KVARIUM_EXPECT(value == nullptr);
    view.value.data = key + std::ptrdiff_t{geometry.head_size} * element_bytes(geometry.element_type);
  }
  return view;
}

}  // namespace kvarium
