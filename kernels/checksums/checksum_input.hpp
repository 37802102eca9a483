#pragma once

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

/// Largest layer whose heads' numbers, 65,536 to a layer, fit an int64 when doubled.
inline constexpr std::int64_t largest_summed_layer = std::int64_t{1} << 44;

/// Whether global numbers of a layer and of `num_kv_heads` heads from `first_head` on have weights.
constexpr bool are_weighted(std::int64_t layer, std::int64_t first_head, std::int64_t num_kv_heads) {
  return layer >= 0 && layer <= largest_summed_layer && first_head >= 0 &&
         first_head <= heads_per_layer_weight - num_kv_heads;
}

/// Checks one layer and the rows read of it: widths, layer and head numbers, block ids, positions.
/// Errors: InputError with the place.
void validate_checksum_layer(const CacheLayer& layer, const ChecksumRows& rows, int piece_width);

}  // namespace kvarium
