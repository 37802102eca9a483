#pragma once

#include "kernels/attention/cuda/verified_slice.cuh"

// What the designs share of verified attention with weighted_sum. Its weights are linear in the position, so that few
// multiplications serve many pieces.

namespace kvarium {

constexpr int verified_piece_bytes = 8;
constexpr int pieces_per_cell = 2 * half_cell_bytes / verified_piece_bytes;
constexpr int pieces_per_half_cell = pieces_per_cell / 2;

/// Weight of piece `number` of a token's cell, without the head's part. `token`: position in the request.
inline uint64 piece_weight(int token, int number) {
  return 2 * (static_cast<uint64>(token) * pieces_per_cell + static_cast<uint64>(number)) + 1;
}

/// A slice's value, of the sum of its pieces times piece_weight.
inline uint64 weighted_value(const AttentionParameters& parameters, int kv_head, uint64 sum) {
  return (2 * static_cast<uint64>(parameters.verification.first_head + kv_head) + 1) * sum;
}

}  // namespace kvarium
