#pragma once

#include "kernels/attention/cuda/staged_mma_ring.cuh"

namespace kvarium {

/// Attends the work's tokens, block_n a step, from a ring of steps in shared memory: `stages - 1` steps are on their
/// way from memory while one is attended.
__forceinline__ void attend(const AttentionParameters& parameters, const WarpWork& work, AttentionState& state) {
  const Lane lane = this_lane();
  StepCopier copier(parameters, work, lane);
#pragma unroll 1
  for (int i = 0; i < variant::stages - 1; ++i) copier.copy_step(parameters, lane);
  const QueryOperands query(parameters, work, lane);
  const Logits logits(parameters, work, query, lane);
  SliceVerifier verifier(parameters, work);
  state.clear();
  int slot = 0;
  for (int group = work.first_group(); group < work.end_group(); group += tiles_per_step) {
    wait_for_copies<variant::stages - 2>();
    // Into the slot that was attended last, so that nothing is overwritten before it was read.
    copier.copy_step(parameters, lane);
    const int first_token = group * tile_tokens;
    StagedStep step(slot);
    Scores scores = KeyOperands::multiply(step.keys, query);
    if constexpr (variant::verifies) verifier.add_keys(parameters, work, step.keys, first_token, lane);
    logits.transform(parameters, scores, first_token, lane);
    if (first_token < work.first_token || first_token + variant::block_n > work.end_token) {
      Logits::mask(work, scores, first_token, lane);
      ValueOperands::mask(step.values, work, first_token, lane);
    }
    state.add(scores, step.values);
    if constexpr (variant::verifies) {
      verifier.add_values(step.values, lane);
      verifier.judge_step(parameters, work, first_token);
    }
    slot = StepCopier::next_slot(slot);
  }
  if constexpr (variant::verifies) verifier.report(parameters, work);
}

}  // namespace kvarium
