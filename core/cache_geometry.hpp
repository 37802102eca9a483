#pragma once

#include <cstdint>
#include <string>

#include "core/cache_layout.hpp"
#include "core/element_type.hpp"

namespace kvarium {

/// Fixed shape of one layer's paged KV cache. Sizes count blocks, tokens, heads and elements.
struct CacheGeometry {
  CacheLayout layout = CacheLayout::split_x;
  ElementType element_type = ElementType::float16;
  std::int64_t num_blocks = 0;
  int block_size = 16;
  int num_kv_heads = 1;
  int head_size = 128;

  bool operator==(const CacheGeometry&) const = default;
};

/// Elements of one 16-byte group of the split_x key layout.
constexpr int split_group_size(ElementType type) { return 16 / element_bytes(type); }

/// Errors: InputError unless head_size is a multiple of 8 in 8..256 (split_x: also of x), block_size
/// is one of 8, 16, 32, 64, 128, 256, and the counts are positive.
void validate(const CacheGeometry& geometry);

/// Where an element of K or V lies, in elements of a tensor:
/// `block*block_id + kv_head*head + token*token_in_block + group*(e / group_size) + element*(e % group_size)`.
/// Trivially copyable: the device side takes the same struct. All arithmetic is 64-bit.
struct CacheStrides {
  std::int64_t block = 0;
  std::int64_t kv_head = 0;
  std::int64_t token = 0;
  std::int64_t group = 0;
  std::int64_t element = 1;
  int group_size = 1;

  /// Offset of one element, in elements.
  constexpr std::int64_t offset(std::int64_t block_id, std::int64_t head, std::int64_t token_in_block,
                                std::int64_t e) const {
    return block_id * block + head * kv_head + token_in_block * token + (e / group_size) * group +
           (e % group_size) * element;
  }

  bool operator==(const CacheStrides&) const = default;
};

/// Strides of a densely stored key tensor.
CacheStrides key_strides(const CacheGeometry& geometry);
/// Strides of a densely stored value tensor; for `packed` they count from the first V element.
CacheStrides value_strides(const CacheGeometry& geometry);

/// Elements of a dense key (or value) tensor; `packed` counts K and V together in its one tensor.
std::int64_t tensor_elements(const CacheGeometry& geometry);

/// Bytes of one cell: K and V of one token and KV head.
constexpr int cell_bytes(const CacheGeometry& geometry) {
  return 2 * geometry.head_size * element_bytes(geometry.element_type);
}

/// One line such as "hnd float16 64 blocks x 16 tokens x 8 KV heads x 128".
std::string to_string(const CacheGeometry& geometry);

}  // namespace kvarium
