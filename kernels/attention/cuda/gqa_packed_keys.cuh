#pragma once

#include "kernels/attention/cuda/gqa_packed_rows.cuh"
#include "kernels/attention/cuda/gqa_packed_softmax.cuh"
#include "kernels/attention/cuda/gqa_packed_verify.cuh"
#include "kernels/cuda/device/element_words.cuh"

namespace kvarium {

/// The queries of a thread block's heads: the elements whose keys a lane reads. Elements and heads beyond are zero.
struct QueryElements {
  float value[heads_per_block][elements_per_lane];

  QueryElements(const AttentionParameters& parameters, const BlockWork& work) {
    const int64 first = work.sequence * parameters.query_stride + int64{work.first_head} * variant::head_size;
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
#pragma unroll
      for (int i = 0; i < elements_per_lane; ++i) {
        const int element = piece_number(i / piece_elements) * piece_elements + i % piece_elements;
        const bool is_there = head < work.num_heads && has_piece(i / piece_elements);
        const int64 index = first + head * variant::head_size + element;
        value[head][i] = is_there ? load_element<variant::query_type>(parameters.query, index) : 0.0F;
      }
    }
  }
};

/// Adds each of a batch's products over the lanes of its token. Lane i returns that of row
/// i % lanes_per_token / lanes_per_product: first lanes exchange halves of what they hold, then all of it.
inline float sum_over_token(float (&products)[rows_per_batch]) {
  int distance = lanes_per_token / 2;
#pragma unroll
  for (int held = rows_per_batch / 2; held > 0; held /= 2, distance /= 2) {
    const bool is_upper = (this_lane() & distance) != 0;
#pragma unroll
    for (int i = 0; i < held; ++i) {
      const float given = is_upper ? products[i] : products[i + held];
      const float kept = is_upper ? products[i + held] : products[i];
      products[i] = kept + __shfl_xor_sync(whole_warp, given, distance);
    }
  }
#pragma unroll
  for (; distance > 0; distance /= 2) products[0] += __shfl_xor_sync(whole_warp, products[0], distance);
  return products[0];
}

/// Adds the products of one row's keys with the queries.
inline void multiply_row(const QueryElements& query, const Piece<piece_words> (&pieces)[pieces_per_lane], int row,
                         float (&products)[heads_per_block][rows_per_batch]) {
#pragma unroll
  for (int i = 0; i < pieces_per_lane; ++i) {
    float keys[piece_elements];
    decode_words<variant::cache_type>(pieces[i].word, keys);
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
#pragma unroll
      for (int e = 0; e < piece_elements; ++e) {
        products[head][row] += query.value[head][i * piece_elements + e] * keys[e];
      }
    }
  }
}

/// Query-key products of the step whose keys have come to `stage`.
inline Scores multiply(const QueryElements& query, const RowPieces& keys, int stage, StepSums& sums) {
  Scores scores;
  RowSums row_sums(sums, 0);
#pragma unroll
  for (int batch = 0; batch < batches_per_step; ++batch) {
    float products[heads_per_block][rows_per_batch] = {};
#pragma unroll
    for (int i = 0; i < rows_per_batch; ++i) {
      const int row = batch * rows_per_batch + i;
      Piece<piece_words> pieces[pieces_per_lane];
#pragma unroll
      for (int piece = 0; piece < pieces_per_lane; ++piece) pieces[piece] = keys.piece(stage, row, piece);
      multiply_row(query, pieces, i, products);
      if constexpr (variant::verifies) row_sums.add(pieces, row);
    }
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) scores.value[batch][head] = sum_over_token(products[head]);
  }
  if constexpr (variant::verifies) row_sums.put();
  return scores;
}

}  // namespace kvarium
