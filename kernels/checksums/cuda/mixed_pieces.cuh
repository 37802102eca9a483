#pragma once

#include "kernels/checksums/cuda/mixed_keys.cuh"
#include "kernels/checksums/cuda/piece_vector.cuh"

// Shares of mixed_sum of what registers hold; sums of shares are taken modulo 2^64, in any order.

namespace kvarium {

/// A sum whose upper half is partly kept apart, so that a product of 64 by 32 bits is added by two instructions.
struct MixedSums {
  uint64 sum = 0;
  uint32 upper = 0;

  /// Adds key * piece. Written in halves: from products of 64 bits the compiler makes eleven instructions of nine.
  void add(const MixedCellKey& key, uint64 word, uint32 piece) {
    const uint32 high = static_cast<uint32>(word >> 32), low = static_cast<uint32>(word) ^ high;
    const uint32 low_factor = static_cast<uint32>(key.factor), high_factor = static_cast<uint32>(key.factor >> 32);
    const uint64 product = uint64{low} * low_factor;
    const uint32 high_key = static_cast<uint32>(product >> 32) + low * high_factor + high * low_factor;
    const uint32 low_key = (static_cast<uint32>(product) ^ high_key) | 1;
    sum += uint64{low_key} * piece;
    upper += high_key * piece;
  }

  uint64 value() const { return sum + (uint64{upper} << 32); }
};

/// Adds the 16 bytes of a cell whose first piece is `first_piece`.
inline void add_vector(MixedSums& sums, const MixedCellKey& key, uint32 first_piece, const PieceVector& vector) {
  const uint64 word = key.origin + first_piece * mixed_step;
#pragma unroll
  for (uint32 i = 0; i < 4; ++i) sums.add(key, word + i * mixed_step, vector.words[i]);
}

/// Adds bits that begin at byte `byte` of a cell and lie in one piece.
inline void add_bits(MixedSums& sums, const MixedCellKey& key, int byte, uint32 bits) {
  const uint64 word = key.origin + static_cast<uint32>(byte) / 4 * mixed_step;
  sums.add(key, word, bits << (8 * (byte % 4)));
}

}  // namespace kvarium
