#pragma once

#include "kernels/attention/cuda/gqa_packed_output.cuh"
#include "kernels/attention/cuda/gqa_packed_places.cuh"
#include "kernels/attention/cuda/mixed_slice.cuh"

// mixed_sum of the cells of an inner step, as a warp of gqa_packed holds them. Members as those of WeightedStep.

namespace kvarium {

class MixedStep {
 public:
  MixedStep(const AttentionParameters& parameters, int kv_head) : keys_(parameters, kv_head) {}

  void start(int first_token) { keys_.start(first_token); }
  const StepKeys& keys() const { return keys_; }

  static uint64 value(const AttentionParameters&, int, uint64 sum) { return sum; }

  class Rows;
  template <class Values>
  class Run;

 private:
  StepKeys keys_;
};

class MixedStep::Rows {
 public:
  Rows(const MixedStep& step, int first_word)
      : keys_(step.keys()), first_word_(first_word + piece_number(0) * piece_words) {}

  void add(const Piece<piece_words> (&pieces)[pieces_per_lane], int row) {
    const MixedCellKey key =
        key_from_piece(keys_.of<tokens_per_row>(row * tokens_per_row, token_of_row(row)), first_word_);
    MixedSums& sums = sums_[row / rows_per_part];
#pragma unroll
    for (int i = 0; i < pieces_per_lane; ++i) {
#pragma unroll
      for (int word = 0; word < piece_words; ++word) {
        add_piece(sums, key, i * lanes_per_token * piece_words + word, pieces[i].word[word]);
      }
    }
  }

  uint64 value(int part) const { return sums_[part].value(); }

 private:
  const StepKeys& keys_;
  int first_word_;
  MixedSums sums_[row_parts_per_step];
};

/// Lanes with the other elements of a piece hold the same tokens, and each goes with a part of them.
template <class Values>
class MixedStep::Run {
 public:
  Run(const MixedStep& step, int first_of_span, int offset) : exchange_(element_of_sum(0)) {
    const int first_word = words_per_half_cell + element_of_sum(0) * cache_element_bytes / 4;
#pragma unroll
    for (int word = 0; word < Values::run_words; ++word) {
      const int token = offset + word * Exchange::tokens_per_word + exchange_.token();
      keys_[word] = key_from_piece(step.keys().of<Values::group_tokens>(first_of_span, token), first_word);
    }
  }

  void add(const Piece<Values::run_words>& run, int index) {
#pragma unroll
    for (int word = 0; word < Values::run_words; ++word) {
      add_piece(sums_, keys_[word], index * words_per_row, exchange_.piece(run.word[word]));
    }
  }

  uint64 value() const { return sums_.value(); }

 private:
  using Exchange = PieceExchange<cache_element_bytes, value_lanes>;
  static constexpr int words_per_row = value_elements_per_row * cache_element_bytes / 4;
  static_assert(value_elements_per_row * cache_element_bytes % 4 == 0,
                "a lane's elements lie at the same byte of their pieces");

  Exchange exchange_;
  MixedCellKey keys_[Values::run_words];
  MixedSums sums_;
};

}  // namespace kvarium
