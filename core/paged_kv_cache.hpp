#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/check.hpp"
#include "core/paged_cache_view.hpp"

namespace kvarium {

/// The host execution space named once, so that a CUDA-enabled Kokkos runs host kernels on the host.
using HostExecution = Kokkos::DefaultHostExecutionSpace;
using HostMemory = Kokkos::HostSpace;

/// Owned raw bytes on the host.
using ByteView = Kokkos::View<std::byte*, Kokkos::LayoutRight, HostMemory>;

/// `bytes` zeros, on large pages where the system grants them, first touched by all threads.
ByteView zeroed_bytes(std::string label, std::size_t bytes);

/// One cache tensor, [num_blocks, num_kv_heads, head_size/group_size, block_size, group_size] of `Element`,
/// indices in this order whatever order memory has. Elements are raw storage: std::uint16_t for
/// float16 and bfloat16, std::uint8_t for float8, float for float32.
template <class Element>
using CacheTensorView = Kokkos::View<Element*****, Kokkos::LayoutStride, HostMemory,
                                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// block_table [num_sequences, max_num_blocks_per_sequence] of physical block ids.
using BlockTableView = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, HostMemory>;

/// A Kokkos view over one tensor of a paged cache; no copy.
template <class Element>
CacheTensorView<Element> tensor_view(const CacheGeometry& geometry, const CacheTensor& tensor) {
  KVARIUM_EXPECT(sizeof(Element) == static_cast<std::size_t>(element_bytes(geometry.element_type)));
  const CacheStrides& strides = tensor.strides;
  const Kokkos::LayoutStride layout(
      geometry.num_blocks, strides.block, geometry.num_kv_heads, strides.kv_head,
      geometry.head_size / strides.group_size, strides.group, geometry.block_size, strides.token, strides.group_size,
      strides.element);
  return CacheTensorView<Element>(reinterpret_cast<Element*>(tensor.data), layout);
}

/// Number of dimensions of a view: an enumerator in Kokkos 3, from 4.1 on a constant that may be called as mdspan's
/// function is; where it can be called, the call is what later versions are most likely to keep.
template <class View>
constexpr int rank_of() {
  if constexpr (requires { View::rank(); }) {
    return static_cast<int>(View::rank());
  } else {
    return static_cast<int>(View::rank);
  }
}

/// An owned paged KV cache of one layer on the host; K and V lie in one allocation, K first, so that
/// their distance is the same in every layer of equal geometry. Contents are zero at first.
class PagedKvCache {
 public:
  /// Errors: InputError for a geometry `validate` refuses.
  explicit PagedKvCache(const CacheGeometry& geometry, std::string label = "kvarium::PagedKvCache::storage");

  const CacheGeometry& geometry() const { return geometry_; }
  std::size_t size_bytes() const { return storage_.extent(0); }

  /// Raw view for kernels; valid as long as this cache lives.
  PagedCacheView view() const;

  /// All bytes, K tensor first.
  const ByteView& storage() const { return storage_; }

  template <class Element>
  CacheTensorView<Element> key_view() const {
    return tensor_view<Element>(geometry_, view().key);
  }
  template <class Element>
  CacheTensorView<Element> value_view() const {
    return tensor_view<Element>(geometry_, view().value);
  }

  /// fp8 scales: an element's value is the stored value times the scale.
  float key_scale = 1.0F;
  float value_scale = 1.0F;

 private:
  CacheGeometry geometry_;
  ByteView storage_;
};

/// A copy with the same geometry, contents and scales.
PagedKvCache deep_copy(const PagedKvCache& source);

}  // namespace kvarium
