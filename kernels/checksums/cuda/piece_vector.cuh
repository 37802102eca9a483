#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// Sixteen bytes of neighbouring pieces.
struct alignas(16) PieceVector {
  uint32 words[4];
};

/// Sixteen bytes that are read once: past the first-level cache. Volatile, so that loads written one after another are
/// in flight together: the assembler would rather save registers.
inline PieceVector load_vector(const void* address) {
  PieceVector vector;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(vector.words[0]), "=r"(vector.words[1]), "=r"(vector.words[2]), "=r"(vector.words[3])
               : "l"(address));
  return vector;
}

/// Sum of the pieces, and sum of each piece times its number in the vector: what any weight that is linear in the
/// position needs, at the price of one multiplication a vector.
struct VectorSums {
  uint64 plain;
  uint64 numbered;
};

template <int piece_width>
VectorSums sums_of(const PieceVector& vector) {
  const uint32(&words)[4] = vector.words;
  if constexpr (piece_width == 8) {
    const uint64 second = uint64{words[3]} << 32 | words[2];
    return {(uint64{words[1]} << 32 | words[0]) + second, second};
  } else if constexpr (piece_width == 4) {
    return {uint64{words[0]} + words[1] + words[2] + words[3],
            uint64{words[1]} + 2 * uint64{words[2]} + 3 * uint64{words[3]}};
  } else {
    // Bytes of the second factor are the numbers of the pieces; a sum of 16 small products fits 32 bits.
    constexpr uint32 ones = 0x01010101U;
    constexpr uint32 first_numbers = piece_width == 2 ? 0x0100U : 0x03020100U;
    constexpr uint32 pieces_per_word = 4 / piece_width;
    uint32 plain = 0, numbered = 0;
    for (uint32 word = 0; word < 4; ++word) {
      const uint32 numbers = first_numbers + word * pieces_per_word * ones;
      plain = piece_width == 2 ? __dp2a_lo(words[word], ones, plain) : __dp4a(words[word], ones, plain);
      numbered = piece_width == 2 ? __dp2a_lo(words[word], numbers, numbered) : __dp4a(words[word], numbers, numbered);
    }
    return {plain, numbered};
  }
}

}  // namespace kvarium
