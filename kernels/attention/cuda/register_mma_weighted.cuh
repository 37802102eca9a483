#pragma once

#include "kernels/attention/cuda/register_mma_tiles.cuh"
#include "kernels/attention/cuda/weighted_slice.cuh"
#include "kernels/cuda/device/element_sums.cuh"
#include "kernels/cuda/device/piece.cuh"

namespace kvarium {

/// weighted_sum of the cells of an inner step, as a warp of register_mma holds them.
class WeightedStep {
 public:
  WeightedStep(const AttentionParameters&, int) {}

  /// Begins the step from `first_token` on. The whole warp calls it.
  void start(int first_token) { first_token_ = first_token; }

  /// Words of one cell, two by two, with weights below 2^32, as they are for tokens up to most_verified_tokens.
  class Cell {
   public:
    explicit Cell(uint32 weight) : weight_(weight) {}

    /// `further`: number of the lower word, even, from the first one on; constant.
    void add(uint32 low_word, uint32 high_word, int further) {
      const uint32 weight = weight_ + static_cast<uint32>(further);
      low_ += uint64{low_word} * weight;
      high_ += high_word * weight;
    }
    uint64 value() const { return low_ + (uint64{high_} << 32); }

   private:
    uint32 weight_;    // of the first word's piece
    uint64 low_ = 0;   // of the pieces' lower halves
    uint32 high_ = 0;  // of the upper halves, modulo 2^32
  };

  /// The cell of the token `offset` of the step, from its 32-bit word `2 * first_pair` on.
  template <int>
  Cell cell(int, int offset, int first_pair) const {
    return Cell(static_cast<uint32>(piece_weight(first_token_ + offset, first_pair)));
  }

  /// What a run of tokens from `offset` on, span `span` of transposed values, adds. An element stands at byte `place`
  /// of the piece that holds it.
  template <class Values, class Pieces>
  uint64 run_sum(const Pieces& pieces, int span, int offset, Lane lane) const {
    constexpr int elements_per_word = 4 / cache_element_bytes;
    uint32 plain = 0, by_token = 0, by_piece = 0;
#pragma unroll
    for (int i = 0; i < Values::rows; ++i) {
      const Piece<Values::piece_words>& piece = pieces[Values::index_of(span, i)];
      uint32 row_sum = 0;
#pragma unroll
      for (int word = 0; word < Values::piece_words; ++word) {
        const uint32 elements = piece.word[word];
        row_sum = add_products<cache_element_bytes>(elements, 0x01010101U, row_sum);
        by_token = add_products<cache_element_bytes>(elements, numbers_from(word * elements_per_word), by_token);
      }
      plain += row_sum;
      by_piece += static_cast<uint32>(i * cache_element_bytes) * row_sum;
    }
    const int byte = lane.row * cache_element_bytes;
    const int number = pieces_per_half_cell + byte / verified_piece_bytes;
    const uint64 sum = piece_weight(first_token_ + offset, number) * plain +
                       2 * (uint64{pieces_per_cell} * by_token + uint64{by_piece});
    return sum << (8 * (byte % verified_piece_bytes));
  }

  static uint64 value(const AttentionParameters& parameters, int kv_head, uint64 sum) {
    return weighted_value(parameters, kv_head, sum);
  }

 private:
  /// Bytes first, first + 1, ...
  static constexpr uint32 numbers_from(int first) { return 0x03020100U + 0x01010101U * static_cast<uint32>(first); }

  int first_token_ = 0;
};

}  // namespace kvarium
