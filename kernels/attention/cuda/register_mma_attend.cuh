#pragma once

#include "kernels/attention/cuda/register_mma_state.cuh"

namespace kvarium {

/// Attends the work's tokens, block_n a step. Keys of a step are replaced as soon as they are multiplied and values as
/// soon as they are added, so that nearly two operands of a step are always on their way from memory.
__forceinline__ void attend(const AttentionParameters& parameters, const WarpWork& work, AttentionState& state) {
  const Lane lane = this_lane();
  GroupPlaces places(parameters, work);
  const KeyOperands key_operands(parameters, work, lane);
  const ValueOperands value_operands(parameters, work, lane);
  RegisterPieces<KeyOperands::num_pieces, KeyOperands::piece_words> keys;
  RegisterPieces<ValueOperands::num_pieces, ValueOperands::piece_words> values;
  key_operands.load(keys, parameters, places, work.first_group(), lane);
  value_operands.load(values, parameters, places, work.first_group(), lane);
  // After the keys, or all would wait for queries on their way to shared memory.
  const QueryOperands query(parameters, work, lane);
  const Logits logits(parameters, work, query, lane);
  SliceVerifier verifier(parameters, work);
  state.clear();
  for (int group = work.first_group(); group < work.end_group(); group += tiles_per_step) {
    const int next = group + tiles_per_step;
    keys.want(next < work.end_group());
    values.want(next < work.end_group());
    const int first_token = group * tile_tokens;
    Scores scores = KeyOperands::multiply(keys, query);
    if constexpr (variant::verifies) verifier.add_keys(parameters, work, keys, first_token, lane);
    places.advance(next);
    key_operands.load(keys, parameters, places, next, lane);
    logits.transform(parameters, scores, first_token, lane);
    if (first_token < work.first_token || first_token + variant::block_n > work.end_token) {
      Logits::mask(work, scores, first_token, lane);
      ValueOperands::mask(values, work, first_token, lane);
    }
    state.add(scores, values);
    if constexpr (variant::verifies) verifier.add_values(values, lane);
    value_operands.load(values, parameters, places, next, lane);
    if constexpr (variant::verifies) verifier.judge_step(parameters, work, first_token);
  }
  if constexpr (variant::verifies) verifier.report(parameters, work);
}

}  // namespace kvarium
