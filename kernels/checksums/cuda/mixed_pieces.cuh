#pragma once

#include "kernels/checksums/cuda/mixed_keys.cuh"
#include "kernels/checksums/cuda/piece_vector.cuh"

// Shares of mixed_sum of what registers hold; sums of shares are taken modulo 2^64, in any order.

namespace kvarium {

/// Share of the 16 bytes of a cell whose first piece is `first_piece`.
inline uint64 mixed_share(const MixedCellKey& key, uint32 first_piece, const PieceVector& vector) {
  uint64 word = key.origin + first_piece * mixed_step;
  uint64 sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i, word += mixed_step) sum += key.key_from(word) * vector.words[i];
  return sum;
}

/// Share of bits that begin at byte `byte` of a cell and lie in one piece.
inline uint64 mixed_share_of_bits(const MixedCellKey& key, int byte, uint32 bits) {
  return key.piece_key(static_cast<uint32>(byte) / 4) * (bits << (8 * (byte % 4)));
}

}  // namespace kvarium
