#pragma once

#include "kernels/attention/cuda/register_mma_logits.cuh"
#include "kernels/attention/cuda/register_mma_verify.cuh"

namespace kvarium {

/// Softmax and weighted values of a warp's work.
struct AttentionState {
  RunningSoftmax softmax;
  Output output;

  void clear() {
    softmax.clear();
    output.clear();
  }

  /// Adds the tokens of one step. Logits become weights.
  template <class Pieces>
  void add(Scores& logits, const Pieces& values) {
    if (softmax.must_rise(logits)) {
#pragma unroll
      for (int heads = 0; heads < head_tiles; ++heads) {
#pragma unroll
        for (int column = 0; column < 2; ++column) output.scale(heads, column, softmax.rise(heads, column));
      }
    }
    softmax.weigh(logits);
    ValueOperands::add(values, WeightOperands(logits), output);
  }
};

/// Attends a warp's work; `state` holds anything before. Each design defines its own.
__forceinline__ void attend(const AttentionParameters& parameters, const WarpWork& work, AttentionState& state);

}  // namespace kvarium
