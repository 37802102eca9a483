#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

namespace kvarium {

/// Elements that lie side by side for one token: a row of the head, or in split_x a 16-byte group (K) or one (V).
constexpr int key_group_size =
    variant::layout == CacheLayout::split_x ? split_group_size(variant::cache_type) : variant::head_size;
constexpr int value_group_size = variant::layout == CacheLayout::split_x ? 1 : variant::head_size;

/// Offset of one element, in elements; all arithmetic is 64-bit.
template <int group_size>
int64 element_offset(const TensorStrides& strides, int64 block, int64 kv_head, int64 token_in_block, int64 element) {
  return block * strides.block + kv_head * strides.kv_head + token_in_block * strides.token +
         element / group_size * strides.group + element % group_size;
}

/// Physical block of a token of a sequence. The table is read only for tokens that are attended.
inline int64 block_of(const AttentionParameters& parameters, int64 sequence, int64 token) {
  return parameters.block_tables[sequence * parameters.max_num_blocks_per_sequence + token / variant::block_size];
}

}  // namespace kvarium
