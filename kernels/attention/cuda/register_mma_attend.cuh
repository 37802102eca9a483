#pragma once

#include "kernels/attention/cuda/register_mma_logits.cuh"
#include "kernels/attention/cuda/register_mma_row_values.cuh"
#include "kernels/attention/cuda/register_mma_transposed_values.cuh"
#include "kernels/attention/cuda/register_mma_verify.cuh"

namespace kvarium {

/// Softmax and weighted values of a warp's work.
struct AttentionState {
  RunningSoftmax softmax;
  Output output;

  /// Adds the tokens of one step. Logits become weights.
  void add(Scores& logits, const ValueOperands& values) {
    if (softmax.must_rise(logits)) {
#pragma unroll
      for (int heads = 0; heads < head_tiles; ++heads) {
#pragma unroll
        for (int column = 0; column < 2; ++column) output.scale(heads, column, softmax.rise(heads, column));
      }
    }
    softmax.weigh(logits);
    values.add(WeightOperands(logits), output);
  }
};

/// Attends the work's tokens, block_n a step. Keys of a step are replaced as soon as they are multiplied and values as
/// soon as they are added, so that nearly two operands of a step are always on their way from memory.
__forceinline__ void attend(const AttentionParameters& parameters, const WarpWork& work, AttentionState& state) {
  const Lane lane = this_lane();
  GroupPlaces places(parameters, work);
  KeyOperands keys(parameters, work, lane);
  ValueOperands values(parameters, work, lane);
  keys.load(parameters, places, work.first_group(), lane);
  values.load(parameters, places, work.first_group(), lane);
  // After the keys, or all would wait for queries on their way to shared memory.
  const QueryOperands query(parameters, work, lane);
  const Logits logits(parameters, work, lane);
  SliceVerifier verifier;
  state.softmax.clear();
  state.output.clear();
  for (int group = work.first_group(); group < work.end_group(); group += tiles_per_step) {
    const int next = group + tiles_per_step;
    const int first_token = group * tile_tokens;
    Scores scores = keys.multiply(query);
    if constexpr (variant::verifies) verifier.add_keys(parameters, work, keys, first_token, lane);
    if (next < work.end_group()) {
      places.advance(next);
      keys.load(parameters, places, next, lane);
    }
    logits.transform(parameters, scores, first_token, lane);
    if (first_token < work.first_token || first_token + variant::block_n > work.end_token) {
      Logits::mask(work, scores, first_token, lane);
      values.mask(work, first_token, lane);
    }
    state.add(scores, values);
    if constexpr (variant::verifies) verifier.add_values(parameters, work, values, first_token, lane);
    if (next < work.end_group()) values.load(parameters, places, next, lane);
  }
  if constexpr (variant::verifies) verifier.report(parameters, work);
}

}  // namespace kvarium
