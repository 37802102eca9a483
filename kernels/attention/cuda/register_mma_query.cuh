#pragma once

#include "kernels/attention/cuda/register_mma_blocks.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/piece.cuh"

namespace kvarium {

/// The queries of a warp's heads, in the order in which its lanes hold the elements of keys. Columns without a head are
/// zero.
class QueryOperands {
 public:
  static constexpr int words = key_piece_elements / 2;

  QueryOperands(const AttentionParameters& parameters, const WarpWork& work, Lane lane) {
    const auto* const heads = static_cast<const uint16*>(parameters.query) + work.sequence * parameters.query_stride +
                              int64{work.first_head} * variant::head_size;
#pragma unroll
    for (int tile = 0; tile < head_tiles; ++tile) {
      const int head = tile_heads * tile + lane.row;
#pragma unroll
      for (int i = 0; i < key_pieces_per_lane; ++i) {
        uint32 piece[words] = {};
        const int first = (lane.column + 4 * i) * key_piece_elements;
        if (head < work.num_heads && has_key_piece(lane, i)) {
          load_piece(piece, heads + int64{head} * variant::head_size + first);
        }
        keep(piece, tile, i);
      }
    }
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

  uint32 word_[variant::query_in_shared_memory ? 1 : head_tiles][key_pieces_per_lane][words];
};

}  // namespace kvarium
