#pragma once

#include "kernels/attention/cuda/gqa_packed_keys.cuh"
#include "kernels/attention/cuda/gqa_packed_logits.cuh"
#include "kernels/attention/cuda/gqa_packed_row_values.cuh"
#include "kernels/attention/cuda/gqa_packed_transposed_values.cuh"

namespace kvarium {

using Values = Selected<value_is_transposed, TransposedValues, RowValues>;

/// Softmax and weighted values of a warp's tokens.
struct AttentionState {
  RunningSoftmax softmax;
  Output output;

  /// Takes in the logits of a step, which become weights.
  void take(Scores& logits) {
    if (softmax.must_rise(logits)) {
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) output.scale(head, softmax.rise(head));
    }
    softmax.weigh(logits);
  }
};

/// A warp's shared memory: keys, values, weights.
constexpr int key_bytes = variant::stages * RowPieces::stage_bytes;
constexpr int value_bytes = variant::stages * Values::stage_bytes;
constexpr int warp_bytes = key_bytes + value_bytes + SharedWeights::bytes;

/// Asks for the first steps, and makes what no copy fills harmless.
__forceinline__ void start_stages(const RowPieces& keys, const Values& values, StepPlaces& places, int num_steps) {
  for (int i = 0; i < variant::stages; ++i) {
    places.advance(i);
    if (i < num_steps) keys.start(places, i);
    end_copy_group();
    if (i < num_steps) values.start(places, i);
    end_copy_group();
  }
  keys.clear_unused();
  values.clear_unused();
}

/// Attends this warp's steps of the work, block_n tokens each. `stages` steps are on their way from memory: K of one
/// more is asked for as soon as a step's K is multiplied, and V as soon as its V is added. Each has a group of copies
/// of its own, so that the same number of groups is pending whenever one is waited for.
__forceinline__ void attend(const AttentionParameters& parameters, const BlockWork& work, char* memory,
                            SliceVerifier& verifier, AttentionState& state) {
  constexpr int pending_groups = 2 * variant::stages - 1;
  const RowPieces keys(parameters.key, parameters.key_strides, variant::layout == CacheLayout::split_x, work, memory);
  const Values values(parameters, work, memory + key_bytes);
  SharedWeights weights(memory + key_bytes + value_bytes);
  StepPlaces places(parameters, work);
  const int first_step = work.first_step() + this_warp();
  const int num_steps = (work.end_step() - first_step + variant::warps - 1) / variant::warps;
  start_stages(keys, values, places, num_steps);
  const QueryElements query(parameters, work);
  const Logits logits(parameters, work);
  StepSums sums(parameters, work);
  int stage = 0;
  for (int i = 0; i < num_steps; ++i) {
    const int first_token = work.base_token + (first_step + i * variant::warps) * variant::block_n;
    const bool is_whole = work.attends(first_token) && work.attends(first_token + variant::block_n - 1);
    const bool has_next = i + variant::stages < num_steps;
    wait_for_copies<pending_groups>();
    if (variant::verifies && !is_whole) keys.silence(work, first_token, stage);
    if constexpr (variant::verifies) sums.start(first_token);
    Scores scores = multiply(query, keys, stage, sums);
    if (has_next) {
      places.advance(i + variant::stages);
      keys.start(places, stage);
    }
    end_copy_group();
    logits.transform(parameters, scores, first_token);
    if (!is_whole) Logits::mask(work, scores, first_token);
    state.take(scores);
    weights.share(scores);
    wait_for_copies<pending_groups>();
    if (!is_whole) values.silence(work, first_token, stage);
    values.add(weights, stage, state.output, sums);
    if (has_next) values.start(places, stage);
    end_copy_group();
    if constexpr (variant::verifies) verifier.add(sums, first_token);
    stage = stage + 1 == variant::stages ? 0 : stage + 1;
  }
  wait_for_copies<0>();
}

}  // namespace kvarium
