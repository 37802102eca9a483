#pragma once

#include "kernels/attention/cuda/gqa_packed_output.cuh"
#include "kernels/attention/cuda/gqa_packed_places.cuh"
#include "kernels/attention/cuda/weighted_slice.cuh"
#include "kernels/cuda/device/element_sums.cuh"

// weighted_sum of the cells of an inner step, as a warp of gqa_packed holds them.

namespace kvarium {

/// Pieces of one cell, each with its number counted from some first piece.
struct PieceSums {
  uint64 plain = 0;
  uint64 numbered = 0;  ///< twice each piece's number times the piece

  void add(uint32 low, uint32 high, int number) {
    const uint64 piece = uint64{high} << 32 | low;
    plain += piece;
    numbered += static_cast<uint64>(2 * number) * piece;
  }
  /// `weight`: of the first piece.
  uint64 weighted(uint64 weight) const { return weight * plain + numbered; }
};

template <int bytes>
struct SumOf {
  using Type = uint32;
};
template <>
struct SumOf<4> {
  using Type = uint64;
};

/// What is the same for a whole step.
class WeightedStep {
 public:
  WeightedStep(const AttentionParameters&, int) {}

  /// Begins the step from `first_token` on. The whole warp calls it.
  void start(int first_token) { first_token_ = first_token; }
  int first_token() const { return first_token_; }

  static uint64 value(const AttentionParameters& parameters, int kv_head, uint64 sum) {
    return weighted_value(parameters, kv_head, sum);
  }

  class Rows;
  template <class Values>
  class Run;

 private:
  int first_token_ = 0;
};

/// What a lane has summed of a step's K, or of its V where a token's elements lie side by side. Weights grow evenly
/// from row to row, so one multiplication by a weight serves all rows of a slice.
class WeightedStep::Rows {
 public:
  /// `first_word`: of K or V in its cell.
  Rows(const WeightedStep& step, int first_word)
      : first_token_(step.first_token()), first_piece_(first_word * 4 / verified_piece_bytes) {}

  /// Adds the lane's pieces of row `row`, a constant.
  void add(const Piece<piece_words> (&pieces)[pieces_per_lane], int row) {
    PieceSums sums;
#pragma unroll
    for (int i = 0; i < pieces_per_lane; ++i) {
#pragma unroll
      for (int word = 0; word < piece_words; word += 2) {
        const int number = i * lanes_per_token * numbers_per_piece + word / 2;
        sums.add(pieces[i].word[word], pieces[i].word[word + 1], number);
      }
    }
    Part& part = parts_[row / rows_per_part];
    part.pieces.plain += sums.plain;
    part.pieces.numbered += sums.numbered;
    part.by_row += static_cast<uint64>(row) * sums.plain;
  }

  /// Sum of part `part`.
  uint64 value(int part) const {
    const int number = first_piece_ + piece_number(0) * numbers_per_piece;
    const uint64 weight = piece_weight(first_token_ + token_of_row(0), number);
    constexpr uint64 weight_of_row = 2 * tokens_per_row * pieces_per_cell;
    return parts_[part].pieces.weighted(weight) + weight_of_row * parts_[part].by_row;
  }

 private:
  static constexpr int numbers_per_piece = piece_bytes / verified_piece_bytes;

  struct Part {
    PieceSums pieces;
    uint64 by_row = 0;  ///< each piece times its row in the step
  };
  int first_token_;
  int first_piece_;
  Part parts_[row_parts_per_step];
};

/// What a run of tokens, all of a lane's elements, adds to the sum of its slice where tokens lie side by side. 32 bits
/// hold the sums of narrow elements.
template <class Values>
class WeightedStep::Run {
 public:
  /// `offset`: of the run's first token in the step.
  Run(const WeightedStep& step, int, int offset) : token_(step.first_token() + offset) {}

  /// Adds the words of the lane's element `index`.
  void add(const Piece<Values::run_words>& run, int index) {
    Sum sum = 0;
#pragma unroll
    for (int word = 0; word < Values::run_words; ++word) {
      if constexpr (cache_element_bytes == 4) {
        sum += run.word[word];
        by_token_ += static_cast<Sum>(word) * run.word[word];
      } else {
        const uint32 numbers = 0x03020100U + 0x01010101U * static_cast<uint32>(word * Values::elements_in_word);
        sum = add_products<cache_element_bytes>(run.word[word], 0x01010101U, sum);
        by_token_ = add_products<cache_element_bytes>(run.word[word], numbers, by_token_);
      }
    }
    plain_ += sum;
    by_piece_ += static_cast<Sum>(index * pieces_per_row) * sum;
  }

  uint64 value() const {
    const int byte = element_of_sum(0) * cache_element_bytes;
    const uint64 weight = piece_weight(token_, pieces_per_half_cell + byte / verified_piece_bytes);
    const uint64 sum = weight * plain_ + 2 * (uint64{pieces_per_cell} * by_token_ + uint64{by_piece_});
    return sum << (8 * (byte % verified_piece_bytes));
  }

 private:
  using Sum = SumOf<cache_element_bytes>::Type;
  static constexpr int pieces_per_row = value_elements_per_row * cache_element_bytes / verified_piece_bytes;
  static_assert(value_elements_per_row * cache_element_bytes % verified_piece_bytes == 0,
                "a lane's elements lie at the same byte of their pieces");

  int token_;
  Sum plain_ = 0;
  Sum by_token_ = 0;  // each element times its token in the run
  Sum by_piece_ = 0;  // times its 8-byte piece, counted from the lane's first
};

}  // namespace kvarium
