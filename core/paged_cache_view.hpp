#pragma once

#include <cstddef>

#include "core/cache_geometry.hpp"

namespace kvarium {

/// One tensor of a paged cache in raw memory: base address and strides (in elements).
struct CacheTensor {
  std::byte* data = nullptr;
  CacheStrides strides;
};

/// A paged KV cache as kernels take it: plain pointers, no ownership, trivially copyable.
/// For `packed`, `value.data` points at the first V element of the same tensor.
/// `key_scale` and `value_scale` multiply stored fp8 elements when read; 1 for other types.
struct PagedCacheView {
  CacheGeometry geometry;
  CacheTensor key;
  CacheTensor value;
  float key_scale = 1.0F;
  float value_scale = 1.0F;
};

/// View of dense memory: `key` (and, except for `packed`, `value`) hold `tensor_elements(geometry)` elements.
PagedCacheView dense_cache_view(const CacheGeometry& geometry, std::byte* key, std::byte* value);

}  // namespace kvarium
