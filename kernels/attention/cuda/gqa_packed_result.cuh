#pragma once

#include "kernels/attention/cuda/gqa_packed_attend.cuh"

namespace kvarium {

/// What the warps of a thread block have come to, side by side in shared memory. It takes the place of keys and values.
struct WarpResults {
  struct Softmax {
    float reference;
    float maximum;
    float sum;
  };
  Softmax softmax[variant::warps][heads_per_block];
  float output[variant::warps][heads_per_block][variant::head_size];

  /// Puts down a warp's result. Called by the whole warp.
  void put(AttentionState& state) {
    state.output.join_lanes();
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
      const float maximum = warp_maximum(state.softmax.maximum[head]);
      const float sum = state.softmax.whole_sum(head);
      if (this_lane() == 0) softmax[this_warp()][head] = {state.softmax.reference[head], maximum, sum};
#pragma unroll
      for (int i = 0; i < num_output_sums; ++i) {
        const int element = element_of_sum(i);
        if (Output::is_first_sharer() && element < variant::head_size) {
          output[this_warp()][head][element] = state.output.sum[head][i];
        }
      }
    }
  }

  float maximum(int head) const {
    float largest = softmax[0][head].maximum;
#pragma unroll
    for (int warp = 1; warp < variant::warps; ++warp) largest = fmaxf(largest, softmax[warp][head].maximum);
    return largest;
  }

  /// What a warp's sums count for against `maximum`; a warp without tokens has 0.
  float share_of(int warp, int head, float maximum) const {
    return exponential(softmax[warp][head].reference - maximum);
  }

  float sum(int head, float maximum) const {
    float total = 0.0F;
#pragma unroll
    for (int warp = 0; warp < variant::warps; ++warp) {
      total += softmax[warp][head].sum * share_of(warp, head, maximum);
    }
    return total;
  }

  float weighted_value(int head, int element, float maximum) const {
    float total = 0.0F;
#pragma unroll
    for (int warp = 0; warp < variant::warps; ++warp) {
      total += output[warp][head][element] * share_of(warp, head, maximum);
    }
    return total;
  }
};

/// Writes the partition's normalised output with its maxima and sums. Called by all threads, after a barrier.
inline void write_partials(const AttentionParameters& parameters, const BlockWork& work, const WarpResults& results) {
  const int64 first_row = partial_row(parameters, work.sequence, work.first_head, work.partition);
  for (int i = static_cast<int>(threadIdx.x); i < work.num_heads * variant::head_size;
       i += warp_size * variant::warps) {
    const int head = i / variant::head_size;
    const int element = i % variant::head_size;
    const float maximum = results.maximum(head);
    const float sum = results.sum(head, maximum);
    const float value = results.weighted_value(head, element, maximum) * (parameters.v_scale / sum);
    const int64 row = first_row + int64{head} * parameters.max_num_partitions;
    if (parameters.tmp_out_in_query_type) {
      store_element<variant::query_type>(parameters.tmp_out, row * variant::head_size + element, value);
    } else {
      static_cast<float*>(parameters.tmp_out)[row * variant::head_size + element] = value;
    }
    if (element != 0) continue;
    parameters.max_logits[row] = maximum;
    parameters.exp_sums[row] = sum;
  }
}

}  // namespace kvarium
