#pragma once

#include "kernels/attention/cuda/mixed_slice.cuh"
#include "kernels/attention/cuda/register_mma_tiles.cuh"
#include "kernels/cuda/device/piece.cuh"

namespace kvarium {

/// mixed_sum of the cells of an inner step, as a warp of register_mma holds them. Members as those of WeightedStep.
class MixedStep {
 public:
  MixedStep(const AttentionParameters& parameters, int kv_head) : keys_(parameters, kv_head) {}

  void start(int first_token) { keys_.start(first_token); }

  class Cell {
   public:
    explicit Cell(const MixedCellKey& key) : key_(key) {}

    void add(uint32 low_word, uint32 high_word, int further) {
      add_piece(sums_, key_, further, low_word);
      add_piece(sums_, key_, further + 1, high_word);
    }
    uint64 value() const { return sums_.value(); }

   private:
    MixedCellKey key_;
    MixedSums sums_;
  };

  template <int span_tokens>
  Cell cell(int first_of_span, int offset, int first_pair) const {
    return Cell(key_from_piece(keys_.of<span_tokens>(first_of_span, offset), 2 * first_pair));
  }

  /// Lanes with the other elements of a piece hold the same tokens, and each goes with a part of them.
  template <class Values, class Pieces>
  uint64 run_sum(const Pieces& pieces, int span, int offset, Lane lane) const {
    using Exchange = PieceExchange<cache_element_bytes, lanes_per_row>;
    const Exchange exchange(lane.row);
    const int first_word = words_per_half_cell + lane.row * cache_element_bytes / 4;
    MixedSums sums;
#pragma unroll
    for (int word = 0; word < Values::piece_words; ++word) {
      const int token = offset + word * Exchange::tokens_per_word + exchange.token();
      const MixedCellKey key = key_from_piece(keys_.of<span_tokens>(span * span_tokens, token), first_word);
#pragma unroll
      for (int i = 0; i < Values::rows; ++i) {
        const uint32 elements = pieces[Values::index_of(span, i)].word[word];
        add_piece(sums, key, 8 * i * cache_element_bytes / 4, exchange.piece(elements));
      }
    }
    return sums.value();
  }

  static uint64 value(const AttentionParameters&, int, uint64 sum) { return sum; }

 private:
  static constexpr int lanes_per_row = 4;

  StepKeys keys_;
};

}  // namespace kvarium
