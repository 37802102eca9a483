#pragma once

#include "kernels/attention/cuda/gqa_packed_tiles.cuh"

namespace kvarium {

/// Values of split_x: a 16-byte piece is neighbouring tokens of one element. `value_lanes` lanes take neighbouring
/// pieces of an element, so that together they read whole 32-byte sectors.
constexpr int value_lanes = variant::value_lanes;
constexpr int value_elements_per_row = warp_size / value_lanes;

/// Weighted sums of values that a lane keeps for each query head, and lanes that keep parts of the same sums: from lane
/// to lane, `output_distance` apart.
constexpr int num_output_sums = value_is_transposed
                                    ? (variant::head_size + value_elements_per_row - 1) / value_elements_per_row
                                    : elements_per_lane;
constexpr int output_distance = value_is_transposed ? 1 : lanes_per_token;
constexpr int output_sharers = value_is_transposed ? value_lanes : tokens_per_row;

/// Element of the head that a lane's sum belongs to; from head_size on: none.
inline int element_of_sum(int index) {
  if constexpr (value_is_transposed) return this_lane() / value_lanes + index * value_elements_per_row;
  return piece_number(index / piece_elements) * piece_elements + index % piece_elements;
}

/// Weighted sums of the values of a warp's tokens, this lane's part.
struct Output {
  float sum[heads_per_block][num_output_sums];

  void clear() {
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
#pragma unroll
      for (float& one : sum[head]) one = 0.0F;
    }
  }

  void scale(int head, float factor) {
#pragma unroll
    for (float& one : sum[head]) one *= factor;
  }

  /// Adds up what lanes keep of the same sum; all of them have it then.
  void join_lanes() {
#pragma unroll
    for (int distance = output_distance; distance < output_distance * output_sharers; distance *= 2) {
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) {
#pragma unroll
        for (int i = 0; i < num_output_sums; ++i) {
          sum[head][i] += __shfl_xor_sync(whole_warp, sum[head][i], distance);
        }
      }
    }
  }

  /// Whether this lane is the first of those that keep the same sums.
  static bool is_first_sharer() { return this_lane() / output_distance % output_sharers == 0; }
};

}  // namespace kvarium
