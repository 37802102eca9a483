#include "core/paged_kv_cache.hpp"

#include <utility>

namespace kvarium {
namespace {

std::size_t storage_bytes(const CacheGeometry& geometry) {
  validate(geometry);
  const std::int64_t tensors = geometry.layout == CacheLayout::packed ? 1 : 2;
  return static_cast<std::size_t>(tensors * tensor_elements(geometry) * element_bytes(geometry.element_type));
}

}  // namespace

PagedKvCache::PagedKvCache(const CacheGeometry& geometry, std::string label)
    : geometry_(geometry), storage_(std::move(label), storage_bytes(geometry)) {}

PagedCacheView PagedKvCache::view() const {
  std::byte* key = storage_.data();
  const bool one_tensor = geometry_.layout == CacheLayout::packed;
  PagedCacheView view = dense_cache_view(geometry_, key, one_tensor ? nullptr : key + size_bytes() / 2);
  view.key_scale = key_scale;
  view.value_scale = value_scale;
  return view;
}

PagedKvCache deep_copy(const PagedKvCache& source) {
  PagedKvCache copy(source.geometry());
  copy.key_scale = source.key_scale;
  copy.value_scale = source.value_scale;
  Kokkos::deep_copy(copy.storage(), source.storage());
  return copy;
}

}  // namespace kvarium
