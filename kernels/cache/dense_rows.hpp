#pragma once

#include "core/paged_cache_view.hpp"

namespace kvarium {

/// Rows [num_rows, num_kv_heads, head_size], dense, as one tensor without blocks whose tokens are the rows.
inline CacheTensor dense_rows(void* data, const CacheGeometry& geometry) {
  CacheStrides strides;
  strides.token = std::int64_t{geometry.num_kv_heads} * geometry.head_size;
  strides.kv_head = geometry.head_size;
  strides.group_size = geometry.head_size;
  return {static_cast<std::byte*>(data), strides};
}

}  // namespace kvarium
