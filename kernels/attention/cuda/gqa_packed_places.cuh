#pragma once

#include "kernels/attention/cuda/gqa_packed_tiles.cuh"

namespace kvarium {

/// The block ids of a warp's steps, read 32 at a time, one a lane, and 32 ahead: who waits for an id cannot yet ask for
/// the keys behind it. A unit is what a step has of one block.
class StepPlaces {
 public:
  static constexpr int unit_tokens = smaller(variant::block_n, variant::block_size);
  static constexpr int units_per_step = variant::block_n / unit_tokens;
  static_assert(larger(variant::block_n, variant::block_size) % unit_tokens == 0, "steps fit blocks");

  StepPlaces(const AttentionParameters& parameters, const BlockWork& work)
      : row_(parameters.block_tables + int64{work.sequence} * parameters.max_num_blocks_per_sequence),
        first_token_(work.first_token),
        last_token_(work.end_token - 1),
        base_token_(work.base_token + (work.first_step() + this_warp()) * variant::block_n) {
    ids_ = fetch(0);
    upcoming_ids_ = fetch(steps_per_fetch);
  }

  /// Makes this warp's step `index`, counted by its own, the one that is asked about. Steps come in order.
  void advance(int index) {
    if (index - fetched_ >= steps_per_fetch) {
      fetched_ += steps_per_fetch;
      ids_ = upcoming_ids_;
      upcoming_ids_ = fetch(fetched_ + steps_per_fetch);
    }
    first_id_ = (index - fetched_) * units_per_step;
    step_token_ = first_token_of(index);
  }

  int first_token_of(int index) const { return base_token_ + index * variant::warps * variant::block_n; }

  /// Whether every token of the step is attended.
  bool is_whole() const { return step_token_ >= first_token_ && step_token_ + variant::block_n - 1 <= last_token_; }

  /// Block of a unit of the step. Lanes may ask for different units.
  int64 block(int unit) const { return __shfl_sync(whole_warp, ids_, first_id_ + unit); }

  /// A slot, in its unit's block, that may be read for a token of the step: its own, else that of the nearest token
  /// that is attended.
  int slot(int token_in_step) const {
    const int token = smaller(larger(step_token_ + token_in_step, first_token_), last_token_);
    return token % variant::block_size;
  }

 private:
  static constexpr int steps_per_fetch = warp_size / units_per_step;
  static_assert(warp_size % units_per_step == 0, "the ids of a step are fetched together");

  /// Units without a token of the work repeat the id of the nearest that has one.
  int fetch(int first_index) const {
    const int unit = this_lane() % units_per_step * unit_tokens;
    const int token = first_token_of(first_index + this_lane() / units_per_step) + unit;
    return row_[smaller(larger(token, first_token_), last_token_) / variant::block_size];
  }

  const int* row_;
  int first_token_;
  int last_token_;
  int base_token_;
  int fetched_ = 0;
  int first_id_ = 0;
  int step_token_ = 0;
  int ids_;
  int upcoming_ids_;
};

/// Rows of one slice, and what they cut a step into; where a row spans slices, one row.
constexpr int rows_per_part = larger(StepPlaces::unit_tokens / tokens_per_row, 1);
constexpr int row_parts_per_step = rows_per_step / rows_per_part;

}  // namespace kvarium
