#include "core/cache_geometry.hpp"

#include <array>

#include "core/check.hpp"

namespace kvarium {
namespace {

bool is_block_size(int block_size) {
  constexpr std::array<int, 6> allowed{8, 16, 32, 64, 128, 256};
  for (int size : allowed) {
    if (size == block_size) return true;
  }
  return false;
}

/// Strides of a layout whose tokens are rows of `row_elements` contiguous elements.
CacheStrides row_strides(const CacheGeometry& geometry, std::int64_t row_elements) {
  const std::int64_t tokens = geometry.block_size;
  const std::int64_t heads = geometry.num_kv_heads;
  CacheStrides strides;
  strides.block = tokens * heads * row_elements;
  const bool token_major = geometry.layout == CacheLayout::nhd;
  strides.kv_head = token_major ? row_elements : tokens * row_elements;
  strides.token = token_major ? heads * row_elements : row_elements;
  strides.group_size = geometry.head_size;
  return strides;
}

std::int64_t row_elements(const CacheGeometry& geometry) {
  return geometry.layout == CacheLayout::packed ? 2 * geometry.head_size : geometry.head_size;
}

/// split_x stores each (block, KV head) as one slab for K and one for V.
CacheStrides split_strides(const CacheGeometry& geometry) {
  CacheStrides strides;
  strides.kv_head = std::int64_t{geometry.head_size} * geometry.block_size;
  strides.block = geometry.num_kv_heads * strides.kv_head;
  return strides;
}

}  // namespace

void validate(const CacheGeometry& geometry) {
  KVARIUM_VALIDATE(geometry.head_size >= 8 && geometry.head_size <= 256 && geometry.head_size % 8 == 0,
                   "head_size ", geometry.head_size, " is not supported; use a multiple of 8 from 8 to 256");
  KVARIUM_VALIDATE(is_block_size(geometry.block_size), "block_size ", geometry.block_size,
                   " is not supported; use 8, 16, 32, 64, 128 or 256");
  const int x = split_group_size(geometry.element_type);
  KVARIUM_VALIDATE(geometry.layout != CacheLayout::split_x || geometry.head_size % x == 0, "head_size ",
                   geometry.head_size, " does not fit layout split_x of ", to_string(geometry.element_type),
                   " (groups of ", x, " elements); use a multiple of ", x, " or another layout");
  KVARIUM_VALIDATE(geometry.num_kv_heads > 0, "num_kv_heads is ", geometry.num_kv_heads, "; use 1 or more");
  KVARIUM_VALIDATE(geometry.num_blocks >= 0, "num_blocks is ", geometry.num_blocks, "; use 0 or more");
}

CacheStrides key_strides(const CacheGeometry& geometry) {
  if (geometry.layout != CacheLayout::split_x) return row_strides(geometry, row_elements(geometry));
  CacheStrides strides = split_strides(geometry);
  strides.group_size = split_group_size(geometry.element_type);
  strides.group = std::int64_t{geometry.block_size} * strides.group_size;
  strides.token = strides.group_size;
  return strides;
}

CacheStrides value_strides(const CacheGeometry& geometry) {
  if (geometry.layout != CacheLayout::split_x) return row_strides(geometry, row_elements(geometry));
  CacheStrides strides = split_strides(geometry);
  strides.group = geometry.block_size;
  strides.token = 1;
  return strides;
}

std::int64_t tensor_elements(const CacheGeometry& geometry) {
  return geometry.num_blocks * geometry.block_size * geometry.num_kv_heads * row_elements(geometry);
}

std::string to_string(const CacheGeometry& geometry) {
  return concatenate(to_string(geometry.layout), " ", to_string(geometry.element_type), " ", geometry.num_blocks,
                     " blocks x ", geometry.block_size, " tokens x ", geometry.num_kv_heads, " KV heads x ",
                     geometry.head_size);
}

}  // namespace kvarium
