#pragma once

#include "kernels/attention/cuda/gqa_packed_tiles.cuh"
#include "kernels/cuda/device/exponential.cuh"

namespace kvarium {

/// How far a logit may rise above the reference before sums are rescaled: weights stay below e^5.5 = 245, and a long
/// context is rescaled a few times instead of at every step.
constexpr float most_above_reference = 5.5F;

/// Logits, then weights, of a step: those of the tokens that a lane keeps, one of each batch.
struct Scores {
  float value[batches_per_step][heads_per_block];
};

/// Softmax of a warp's tokens so far. `reference` is the same in all lanes.
struct RunningSoftmax {
  float reference[heads_per_block];  ///< what weights are taken against
  float maximum[heads_per_block];    ///< of the logits this lane kept
  float sum[heads_per_block];        ///< of the weights this lane kept

  void clear() {
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
      reference[head] = maximum[head] = -infinity;
      sum[head] = 0.0F;
    }
  }

  /// Notes the largest logits of a step. True, for the whole warp, where a reference is too low for them.
  bool must_rise(const Scores& logits) {
    bool rises = false;
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
      float largest = logits.value[0][head];
#pragma unroll
      for (int batch = 1; batch < batches_per_step; ++batch) largest = fmaxf(largest, logits.value[batch][head]);
      maximum[head] = fmaxf(maximum[head], largest);
      rises |= largest > reference[head] + most_above_reference;
    }
    return __any_sync(whole_warp, rises) != 0;
  }

  /// Raises a head's reference to its largest logit. Returns what earlier weights and sums shrink by.
  float rise(int head) {
    const float raised = warp_maximum(maximum[head]);
    const float before = reference[head];
    reference[head] = raised;
    const float shrink = before == -infinity ? 0.0F : exponential(before - raised);
    sum[head] = __fmul_rn(sum[head], shrink);
    return shrink;
  }

  /// Turns logits into weights and adds them. The difference is taken of rounded logits: fused with their scaling, it
  /// would not be 0 at the maximum when logits are large.
  void weigh(Scores& logits) {
#pragma unroll
    for (int batch = 0; batch < batches_per_step; ++batch) {
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) {
        float& logit = logits.value[batch][head];
        logit = exponential(__fsub_rn(logit, reference[head]));
        sum[head] = __fadd_rn(sum[head], logit);
      }
    }
  }

  /// Sum of the weights of all lanes; each token's counts once.
  float whole_sum(int head) const {
    float whole = sum[head];
#pragma unroll
    for (int distance = lanes_per_product; distance < warp_size; distance *= 2) {
      whole += __shfl_xor_sync(whole_warp, whole, distance);
    }
    return whole;
  }
};

}  // namespace kvarium
