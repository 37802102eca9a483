#include "core/paged_kv_cache.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/large_pages.hpp"

namespace kvarium {
namespace {

std::size_t storage_bytes(const CacheGeometry& geometry) {
  validate(geometry);
  const std::int64_t tensors = geometry.layout == CacheLayout::packed ? 1 : 2;
  return static_cast<std::size_t>(tensors * tensor_elements(geometry) * element_bytes(geometry.element_type));
}

}  // namespace

ByteView zeroed_bytes(std::string label, std::size_t bytes) {
  ByteView storage(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::move(label)), bytes);
  request_large_pages(storage.data(), bytes);
  // First touch by the threads that will read.
  constexpr std::size_t stretch = 64 * 1024;
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  const HostExecution execution;
  const auto num_stretches = static_cast<std::int64_t>((bytes + stretch - 1) / stretch);
  Kokkos::parallel_for("kvarium::zeroed_bytes", Policy(execution, 0, num_stretches),
                       [&](std::int64_t index) {
                         const std::size_t first = static_cast<std::size_t>(index) * stretch;
                         std::memset(storage.data() + first, 0, std::min(stretch, bytes - first));
                       });
  execution.fence();
  return storage;
}

PagedKvCache::PagedKvCache(const CacheGeometry& geometry, std::string label)
    : geometry_(geometry), storage_(zeroed_bytes(std::move(label), storage_bytes(geometry))) {}

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
