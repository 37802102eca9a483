#pragma once

#include "kernels/attention/cuda/gqa_packed_copy.cuh"
#include "kernels/attention/cuda/gqa_packed_places.cuh"

namespace kvarium {

/// A lane's pieces of K, or of V where the elements of a token lie side by side, on their way through shared memory.
class RowPieces {
 public:
  /// Bytes of a warp's shared memory for one step.
  static constexpr int stage_bytes = rows_per_step * pieces_per_lane * warp_size * piece_bytes;

  /// `is_grouped`: 16-byte groups of a token's elements lie apart, as in K of split_x.
  RowPieces(const void* data, const TensorStrides& strides, bool is_grouped, const BlockWork& work, char* memory)
      : strides_(strides),
        base_(static_cast<const char*>(data) + work.kv_head * strides.kv_head * cache_element_bytes +
              place_of(strides, is_grouped, 0)),
        next_piece_(place_of(strides, is_grouped, lanes_per_token) - place_of(strides, is_grouped, 0)),
        memory_(memory + this_lane() * piece_bytes) {}

  /// Starts the copies of the step that `places` is at.
  void start(const StepPlaces& places, int stage) const {
    if (places.is_whole()) {
      start_rows<true>(places, stage);
    } else {
      start_rows<false>(places, stage);
    }
  }

  Piece<piece_words> piece(int stage, int row, int index) const {
    return *reinterpret_cast<const Piece<piece_words>*>(place_in_memory(stage, row, index));
  }

  /// Pieces that a lane has no part in are zero for good.
  void clear_unused() const {
    if constexpr (num_pieces % lanes_per_token != 0) {
#pragma unroll 1
      for (int row = 0; row < variant::stages * rows_per_step; ++row) {
        if (!has_piece(pieces_per_lane - 1)) clear(0, row, pieces_per_lane - 1);
      }
      __syncwarp();
    }
  }

  /// Makes the tokens of the step from `first_token` on that are not attended zero: they hold a neighbour, and weight 0
  /// does not silence its infinity or NaN.
  void silence(const BlockWork& work, int first_token, int stage) const {
#pragma unroll
    for (int row = 0; row < rows_per_step; ++row) {
      if (work.attends(first_token + token_of_row(row))) continue;
#pragma unroll
      for (int i = 0; i < pieces_per_lane; ++i) clear(stage, row, i);
    }
    __syncwarp();
  }

 private:
  static constexpr int rows_per_unit = StepPlaces::unit_tokens / tokens_per_row;

  /// Bytes from a token's first element to this lane's piece, `more` pieces further.
  static int64 place_of(const TensorStrides& strides, bool is_grouped, int more) {
    const int bytes = (piece_number(0) + more) * piece_bytes;
    if (!is_grouped) return bytes;
    constexpr int group_bytes = 16;
    return bytes / group_bytes * strides.group * cache_element_bytes + bytes % group_bytes;
  }

  char* place_in_memory(int stage, int row, int index) const {
    const int number = (stage * rows_per_step + row) * pieces_per_lane + index;
    return memory_ + number * (warp_size * piece_bytes);
  }

  void clear(int stage, int row, int index) const {
    *reinterpret_cast<Piece<piece_words>*>(place_in_memory(stage, row, index)) = {};
  }

  /// `is_whole`: all tokens of the step are attended, so that slots follow one another in a unit.
  template <bool is_whole>
  void start_rows(const StepPlaces& places, int stage) const {
    const int64 token_bytes = strides_.token * cache_element_bytes;
    const char* unit = nullptr;
    const char* token = nullptr;
#pragma unroll
    for (int row = 0; row < rows_per_step; ++row) {
      const bool begins_unit = rows_per_unit == 0 || row % larger(rows_per_unit, 1) == 0;
      if (begins_unit) {
        unit = base_ + places.block(token_of_row(row) / StepPlaces::unit_tokens) * strides_.block * cache_element_bytes;
      }
      if (!is_whole || begins_unit) {
        token = unit + places.slot(token_of_row(row)) * token_bytes;
      } else {
        token += tokens_per_row * token_bytes;
      }
      start_token(token, stage, row);
    }
  }

  void start_token(const char* token, int stage, int row) const {
#pragma unroll
    for (int i = 0; i < pieces_per_lane; ++i) {
      if (has_piece(i)) copy_cache_piece<piece_bytes>(place_in_memory(stage, row, i), token + i * next_piece_);
    }
  }

  const TensorStrides& strides_;
  const char* base_;  // this lane's first piece in slot 0 of block 0
  int64 next_piece_;  // bytes to this lane's next piece
  char* memory_;
};

}  // namespace kvarium
