#pragma once

#include "kernels/attention/cuda/gqa_packed_output.cuh"
#include "kernels/attention/cuda/gqa_packed_rows.cuh"
#include "kernels/attention/cuda/gqa_packed_verify.cuh"
#include "kernels/attention/cuda/gqa_packed_weights.cuh"
#include "kernels/cuda/device/element_words.cuh"

namespace kvarium {

/// Values where a token's elements lie side by side (nhd, hnd, packed).
class RowValues {
 public:
  static constexpr int stage_bytes = RowPieces::stage_bytes;

  RowValues(const AttentionParameters& parameters, const BlockWork& work, char* memory)
      : rows_(parameters.value, parameters.value_strides, false, work, memory) {}

  void start(const StepPlaces& places, int stage) const { rows_.start(places, stage); }
  void clear_unused() const { rows_.clear_unused(); }
  void silence(const BlockWork& work, int first_token, int stage) const { rows_.silence(work, first_token, stage); }

  /// Adds the weighted values of the step that have come to `stage`.
  void add(const SharedWeights& shared, int stage, Output& output, StepSums& sums) const {
    RowSums row_sums(sums, half_cell_bytes / 4);
#pragma unroll
    for (int first = 0; first < rows_per_step; first += rows_together) {
      float weights[heads_per_block][rows_together];
      const int batch = first / rows_per_batch;
      const int place = batch * batch_tokens + this_lane() / lanes_per_token * rows_per_batch + first % rows_per_batch;
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) shared.read(head, place, weights[head]);
#pragma unroll
      for (int i = 0; i < rows_together; ++i) {
        Piece<piece_words> pieces[pieces_per_lane];
#pragma unroll
        for (int piece = 0; piece < pieces_per_lane; ++piece) pieces[piece] = rows_.piece(stage, first + i, piece);
        add_row(pieces, weights, i, output);
        if constexpr (variant::verifies) row_sums.add(pieces, first + i);
      }
    }
    if constexpr (variant::verifies) row_sums.put();
  }

 private:
  /// Rows whose weights are read at once.
  static constexpr int rows_together = smaller(rows_per_batch, 4);

  static void add_row(const Piece<piece_words> (&pieces)[pieces_per_lane],
                      const float (&weights)[heads_per_block][rows_together], int row, Output& output) {
#pragma unroll
    for (int i = 0; i < pieces_per_lane; ++i) {
      float values[piece_elements];
      decode_words<variant::cache_type>(pieces[i].word, values);
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) {
#pragma unroll
        for (int e = 0; e < piece_elements; ++e) {
          output.sum[head][i * piece_elements + e] += weights[head][row] * values[e];
        }
      }
    }
  }

  RowPieces rows_;
};

}  // namespace kvarium
