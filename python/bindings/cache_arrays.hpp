#pragma once

#include "core/paged_cache_view.hpp"
#include "python/bindings/array_memory.hpp"

namespace kvarium::python {

/// The arrays of one layer's paged cache and what kernels see of them; nothing is copied. The arrays live as long as
/// this does. `value` is none for `packed`.
struct CacheArrays {
  Array key;
  OptionalArray value;
  PagedCacheView view;
};

/// fp8 scales of a cache.
struct CacheScales {
  float key = 1.0F;
  float value = 1.0F;
};

/// Views arrays whose shapes fit the geometry in the memory order of its layout; num_blocks is the key's first size.
/// All strides are taken as they are. Errors: InputError for a geometry `validate` refuses.
CacheArrays view_cache_arrays(CacheGeometry geometry, Array key, OptionalArray value, const CacheScales& scales);

}  // namespace kvarium::python
