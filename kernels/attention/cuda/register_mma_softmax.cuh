#pragma once

#include "kernels/attention/cuda/register_mma_keys.cuh"
#include "kernels/cuda/device/exponential.cuh"

namespace kvarium {

/// How far a logit may rise above the reference before sums are rescaled: weights stay below e^5.5 = 245, far inside
/// float16, and a long context is rescaled a few times instead of at every step.
constexpr float most_above_reference = 5.5F;

/// Largest value over the rows of a column.
inline float maximum_over_rows(float value) {
#pragma unroll
  for (int distance = 4; distance < warp_size; distance *= 2) {
    value = fmaxf(value, __shfl_xor_sync(whole_warp, value, distance));
  }
  return value;
}

inline float sum_over_rows(float value) {
#pragma unroll
  for (int distance = 4; distance < warp_size; distance *= 2) value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

/// Softmax of the heads of a lane's two columns so far. Its arithmetic names its roundings: left to the compiler, a
/// kernel that also verifies might fuse other products with other sums, and give other bits.
struct RunningSoftmax {
  float reference[head_tiles][2];  ///< what weights are taken against; the same for all rows
  float maximum[head_tiles][2];    ///< of the logits in this lane's rows
  float sum[head_tiles][2];        ///< of the weights in this lane's rows

  void clear() {
#pragma unroll
    for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
      for (int column = 0; column < 2; ++column) {
        reference[tile][column] = maximum[tile][column] = -infinity;
        sum[tile][column] = 0.0F;
      }
    }
  }

  /// Notes the largest logits of a step. True, for the whole warp, where a reference is too low for them.
  bool must_rise(const Scores& logits) {
    bool rises = false;
#pragma unroll
    for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
      for (int column = 0; column < 2; ++column) {
        float largest = -infinity;
#pragma unroll
        for (int i = 0; i < tiles_per_step; ++i) {
          largest = fmaxf(largest, fmaxf(logits.sum[i][tile][column], logits.sum[i][tile][column + 2]));
        }
        maximum[tile][column] = fmaxf(maximum[tile][column], largest);
        rises |= largest > reference[tile][column] + most_above_reference;
      }
    }
    return __any_sync(whole_warp, rises) != 0;
  }

  /// Raises a column's reference to its largest logit. Returns what earlier weights and sums shrink by.
  float rise(int tile, int column) {
    const float raised = maximum_over_rows(maximum[tile][column]);
    const float before = reference[tile][column];
    reference[tile][column] = raised;
    const float shrink = before == -infinity ? 0.0F : exponential(before - raised);
    sum[tile][column] = __fmul_rn(sum[tile][column], shrink);
    return shrink;
  }

  /// Turns logits into weights and adds them. The difference is taken of rounded logits: fused with their scaling, it
  /// would not be 0 at the maximum when logits are large.
  void weigh(Scores& logits) {
#pragma unroll
    for (int i = 0; i < tiles_per_step; ++i) {
#pragma unroll
      for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          float& logit = logits.sum[i][tile][e];
          logit = exponential(__fsub_rn(logit, reference[tile][e % 2]));
          sum[tile][e % 2] = __fadd_rn(sum[tile][e % 2], logit);
        }
      }
    }
  }
};

}  // namespace kvarium
