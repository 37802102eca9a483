#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache_geometry.hpp"
#include "core/random.hpp"

namespace kvarium {

/// Ways to permute the bytes of a block; all keep the block's bytes as a set.
enum class BlockPermutation : std::uint8_t {
  interleaved_to_split,  ///< K and V rows written by turns, read as all K rows, then all V rows of a KV head
  split_to_interleaved,  ///< the reverse
  structs_to_arrays,     ///< [block_size, head_size] elements read as [head_size, block_size], per KV head and tensor
  arrays_to_structs,     ///< the reverse
  shuffled_tokens,       ///< cells exchange tokens, the same way in every KV head
  shuffled_bytes         ///< bytes anywhere in the block
};

/// Names in the order of the enumerators.
const std::vector<std::string>& block_permutation_names();
/// The name a configuration gives the permutation.
std::string to_string(BlockPermutation permutation);

/// Errors: InputError that lists the known names.
BlockPermutation parse_block_permutation(std::string_view name);

/// The permuted copy of `cells` [num_kv_heads, block_size, cell_bytes] uint8. Shuffles draw from `random`, uniformly
/// over all orders; the others draw nothing.
std::vector<std::uint8_t> permute_block(const CacheGeometry& geometry, std::span<const std::uint8_t> cells,
                                        BlockPermutation permutation, CounterRandom& random);

}  // namespace kvarium
