#pragma once

#include "kernels/attention/cuda/register_mma_softmax.cuh"

namespace kvarium {

/// Elements of a row of values that a lane loads at once: 16 bytes, or of fp8 fewer where eight rows of 16 bytes are
/// more than the head has.
constexpr int value_piece_elements = variant::head_size % 128 == 0 ? 16 / cache_element_bytes : 8;
constexpr int num_value_pieces = variant::head_size / value_piece_elements;
constexpr int value_pieces_per_lane = (num_value_pieces + 7) / 8;

inline bool has_value_piece(Lane lane, int index) {
  return num_value_pieces % 8 == 0 || lane.row + 8 * index < num_value_pieces;
}

/// Multiplications that make one head's output; each gives 16 elements, or where lanes have no piece, fewer.
constexpr int output_tiles =
    value_is_transposed ? variant::head_size / 16 : value_pieces_per_lane * value_piece_elements / 2;

/// Weighted sums of values. Sum e of a lane belongs to head 2 * lane.column + e % 2 of the head tile, and to the
/// element that the upper (e < 2) or lower rows of the tile stand for.
struct Output {
  float sum[output_tiles][head_tiles][4];

  void clear() {
#pragma unroll
    for (int tile = 0; tile < output_tiles; ++tile) {
#pragma unroll
      for (int heads = 0; heads < head_tiles; ++heads) {
#pragma unroll
        for (float& element : sum[tile][heads]) element = 0.0F;
      }
    }
  }

  void scale(int heads, int column, float factor) {
#pragma unroll
    for (int tile = 0; tile < output_tiles; ++tile) {
      sum[tile][heads][column] = __fmul_rn(sum[tile][heads][column], factor);
      sum[tile][heads][column + 2] = __fmul_rn(sum[tile][heads][column + 2], factor);
    }
  }
};

/// Neighbouring elements of one head that a lane holds after the last step, and how often.
constexpr int elements_per_run = value_is_transposed ? 1 : 8;
constexpr int num_runs = output_tiles * 2 / elements_per_run;

/// First element of a run, or head_size or more where the lane has none.
inline int first_element_of(int run, Lane lane) {
  if constexpr (value_is_transposed) {
    return 8 * run + lane.row;
  } else {
    constexpr int runs_per_piece = value_piece_elements / elements_per_run;
    const int piece = lane.row + 8 * (run / runs_per_piece);
    return piece * value_piece_elements + run % runs_per_piece * elements_per_run;
  }
}

/// Sum of element `index` of a run, for the head in `column`.
inline float element_of(const Output& output, int run, int index, int heads, int column) {
  const int element = run * elements_per_run + index;
  return output.sum[element / 2][heads][column + 2 * (element % 2)];
}

/// A step's weights as right operands: the transposed tiles of its weights, rounded to the query's type.
struct WeightOperands {
  uint32 word[tiles_per_step][head_tiles][2];

  explicit WeightOperands(const Scores& weights) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int heads = 0; heads < head_tiles; ++heads) {
        const auto& sum = weights.sum[tile][heads];
        word[tile][heads][0] = transpose_matrix(encode_pair<operand_type>(sum[0], sum[1]));
        word[tile][heads][1] = transpose_matrix(encode_pair<operand_type>(sum[2], sum[3]));
      }
    }
  }
};

}  // namespace kvarium
