#pragma once

#include "kernels/attention/cuda/register_mma_blocks.cuh"
#include "kernels/cuda/device/element_pair.cuh"
#include "kernels/cuda/device/piece.cuh"
#include "kernels/cuda/device/warp.cuh"

namespace kvarium {

/// The queries of a warp's heads, in the order in which its lanes hold the elements of keys. Columns without a head are
/// zero. Where the operands are narrower than bfloat16, each head's largest element is scaled to 2^14 or above, by a
/// power of two: what then falls below float16 is less than 2^-38 of it.
class QueryOperands {
 public:
  static constexpr int words = key_piece_elements / 2;

  QueryOperands(const AttentionParameters& parameters, const WarpWork& work, Lane lane) {
    const auto* const heads = static_cast<const uint16*>(parameters.query) + work.sequence * parameters.query_stride +
                              int64{work.first_head} * variant::head_size;
#pragma unroll
    for (int tile = 0; tile < head_tiles; ++tile) {
      const int head = tile_heads * tile + lane.row;
      uint32 pieces[key_pieces_per_lane][words] = {};
#pragma unroll
      for (int i = 0; i < key_pieces_per_lane; ++i) {
        const int first = (lane.column + 4 * i) * key_piece_elements;
        if (head < work.num_heads && has_key_piece(lane, i)) {
          load_piece(pieces[i], heads + int64{head} * variant::head_size + first);
        }
      }
      if constexpr (queries_are_scaled) unscale_[tile] = scale(pieces);
#pragma unroll
      for (int i = 0; i < key_pieces_per_lane; ++i) keep(pieces[i], tile, i);
    }
  }

  /// What products with the query of the head in a lane's column are multiplied by.
  float unscale(int tile, int column, Lane lane) const {
    if constexpr (!queries_are_scaled) return 1.0F;
    return __shfl_sync(whole_warp, unscale_[tile], 4 * (2 * lane.column + column));
  }

  /// Words [pair, pair + 2) of a piece.
  void right_operand(int tile, int piece, int pair, uint32 (&operand)[2]) const {
    if constexpr (variant::query_in_shared_memory) {
      // Volatile, or the compiler moves all of it back into registers ahead of the loop.
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                   : "=r"(operand[0]), "=r"(operand[1])
                   : "r"(static_cast<uint32>(__cvta_generic_to_shared(shared_words(tile, piece) + pair)))
                   : "memory");
    } else {
      operand[0] = word_[tile][piece][pair];
      operand[1] = word_[tile][piece][pair + 1];
    }
  }

 private:
  /// Makes float16 of a head's bfloat16, which four lanes hold. Returns what undoes the scaling.
  static float scale(uint32 (&pieces)[key_pieces_per_lane][words]) {
    const int largest = largest_exponent(pieces);
    // Powers of two that float32 holds; of an infinite query, and of one that is all but zero, any will do.
    const int shift = smaller(larger(141 - largest, -113), 100);
    const float factor = __uint_as_float(static_cast<uint32>(127 + shift) << 23);
#pragma unroll
    for (auto& piece : pieces) {
#pragma unroll
      for (uint32& word : piece) {
        const float first = __uint_as_float(word << 16) * factor, second = __uint_as_float(word & 0xFFFF0000U) * factor;
        word = encode_pair<ElementType::float16>(first, second);
      }
    }
    return __uint_as_float(static_cast<uint32>(127 - shift) << 23);
  }

  /// Exponent field of the largest element of a head.
  static int largest_exponent(const uint32 (&pieces)[key_pieces_per_lane][words]) {
    uint32 largest = 0;
#pragma unroll
    for (const auto& piece : pieces) {
#pragma unroll
      for (uint32 word : piece) largest = larger(largest, larger(word & 0x7FFFU, word >> 16 & 0x7FFFU));
    }
    largest = larger(largest, __shfl_xor_sync(whole_warp, largest, 1));
    largest = larger(largest, __shfl_xor_sync(whole_warp, largest, 2));
    return static_cast<int>(largest >> 7);
  }

  static void load_piece(uint32 (&piece)[words], const uint16* elements) {
#pragma unroll
    for (int i = 0; i < words; ++i) {
      if constexpr (variant::pieces_are_aligned) {
        piece[i] = reinterpret_cast<const uint32*>(elements)[i];
      } else {
        piece[i] = uint32{elements[2 * i]} | uint32{elements[2 * i + 1]} << 16;
      }
    }
  }

  /// What this lane alone writes and reads, so that no one waits for anyone.
  static uint32* shared_words(int tile, int piece) {
    __shared__ uint32 all[head_tiles][key_pieces_per_lane][32 * variant::warps][words];
    return all[tile][piece][threadIdx.x];
  }

  void keep(const uint32 (&piece)[words], int tile, int index) {
#pragma unroll
    for (int i = 0; i < words; ++i) {
      if constexpr (variant::query_in_shared_memory) {
        shared_words(tile, index)[i] = piece[i];
      } else {
        word_[tile][index][i] = piece[i];
      }
    }
  }

  float unscale_[queries_are_scaled ? head_tiles : 1];  ///< of the head in this lane's row
  uint32 word_[variant::query_in_shared_memory ? 1 : head_tiles][key_pieces_per_lane][words];
};

}  // namespace kvarium
