#pragma once

#include "kernels/attention/cuda/bulk_mma_ring.cuh"

namespace kvarium {

/// The stages of an attending warp's ring, one after the other, over all its works.
class StageReader {
 public:
  StageReader() : ring_(static_cast<int>(threadIdx.x) / warp_size), position_(ring_.control->position) {}

  /// Waits for the next stage.
  char* next() {
    ring_.control->full[position_.slot].wait(position_.pass);
    return ring_.stage(position_.slot);
  }

  /// Gives the stage back. `is_written`: some lane wrote to it.
  void release(bool is_written) {
    if (is_written) order_before_bulk_copies();
    // Every lane for itself: a lane that spoke for its warp would be right too, but racecheck could not see that.
    ring_.control->empty[position_.slot].arrive();
    position_.advance();
  }

  /// Keeps the position for the warp's next work.
  void keep() {
    if (threadIdx.x % warp_size == 0) ring_.control->position = position_;
    __syncwarp();
  }

 private:
  Ring ring_;
  RingPosition position_;
};

/// Attends the work's tokens, block_n a step, from the stages that producing lanes fill.
__forceinline__ void attend(const AttentionParameters& parameters, const WarpWork& work, AttentionState& state) {
  const Lane lane = this_lane();
  const QueryOperands query(parameters, work, lane);
  const Logits logits(parameters, work, query, lane);
  SliceVerifier verifier(parameters, work);
  state.clear();
  StageReader stages;
  char* stage = nullptr;
  bool is_written = false;
  for (int group = work.first_group(); group < work.end_group(); group += tiles_per_step) {
    const int step_in_stage = steps_per_stage == 1 ? 0 : group / tiles_per_step % steps_per_stage;
    if (step_in_stage == 0 || group == work.first_group()) stage = stages.next();
    const int first_token = group * tile_tokens;
    const SlabKeys keys(stage, step_in_stage * variant::block_n, lane);
    SlabValues values(stage, step_in_stage * variant::block_n, lane);
    Scores scores = KeyOperands::multiply(keys, query);
    if constexpr (variant::verifies) verifier.add_keys(parameters, work, keys, first_token, lane);
    logits.transform(parameters, scores, first_token, lane);
    if (first_token < work.first_token || first_token + variant::block_n > work.end_token) {
      Logits::mask(work, scores, first_token, lane);
      ValueOperands::mask(values, work, first_token, lane);
      is_written = true;
    }
    state.add(scores, values);
    if constexpr (variant::verifies) verifier.add_values(values, lane);
    if (step_in_stage + 1 == steps_per_stage || group + tiles_per_step >= work.end_group()) {
      stages.release(is_written);
      is_written = false;
    }
    if constexpr (variant::verifies) verifier.judge_step(parameters, work, first_token);
  }
  stages.keep();
  if constexpr (variant::verifies) verifier.report(parameters, work);
}

}  // namespace kvarium
