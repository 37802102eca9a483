#include "experiments/kinds/device_caches.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

std::size_t tensor_bytes(const CacheGeometry& geometry) {
  return static_cast<std::size_t>(tensor_elements(geometry) * element_bytes(geometry.element_type));
}

/// Tensors of a dense cache; `packed` has K and V in one.
int num_tensors(const CacheGeometry& geometry) { return geometry.layout == CacheLayout::packed ? 1 : 2; }

}  // namespace

DeviceCaches::DeviceCaches(const std::vector<PagedCacheView>& host, std::int64_t working_set_bytes, void* stream)
    : stream_(stream), copies_(1) {
  KVARIUM_EXPECT(!host.empty());
  std::int64_t held = 0;
  for (const PagedCacheView& cache : host) {
    copies_.front().push_back(upload(cache));
    held += static_cast<std::int64_t>(tensor_bytes(cache.geometry)) * num_tensors(cache.geometry);
  }
  while (held * static_cast<std::int64_t>(copies_.size()) < working_set_bytes) {
    std::vector<PagedCacheView> copy;
    for (const PagedCacheView& original : copies_.front()) copy.push_back(duplicate(original));
    copies_.push_back(std::move(copy));
  }
}

PagedCacheView DeviceCaches::allocate_like(const PagedCacheView& cache) {
  std::byte* tensors[2] = {nullptr, nullptr};
  for (int tensor = 0; tensor < num_tensors(cache.geometry); ++tensor) {
    memory_.emplace_back(tensor_bytes(cache.geometry));
    tensors[tensor] = static_cast<std::byte*>(memory_.back().data());
  }
  PagedCacheView view = dense_cache_view(cache.geometry, tensors[0], tensors[1]);
  view.key_scale = cache.key_scale;
  view.value_scale = cache.value_scale;
  return view;
}

PagedCacheView DeviceCaches::upload(const PagedCacheView& host) {
  const PagedCacheView view = allocate_like(host);
  const std::size_t bytes = tensor_bytes(host.geometry);
  copy_to_device(view.key.data, host.key.data, bytes, stream_);
  if (num_tensors(host.geometry) == 2) copy_to_device(view.value.data, host.value.data, bytes, stream_);
  return view;
}

PagedCacheView DeviceCaches::duplicate(const PagedCacheView& original) {
  const PagedCacheView view = allocate_like(original);
  const std::size_t bytes = tensor_bytes(original.geometry);
  copy_on_device(view.key.data, original.key.data, bytes, stream_);
  if (num_tensors(original.geometry) == 2) copy_on_device(view.value.data, original.value.data, bytes, stream_);
  return view;
}

}  // namespace kvarium
