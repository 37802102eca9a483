#pragma once

#include "kernels/attention/cuda/register_mma_state.cuh"

// How one stage of a warp's ring holds the cells of some tokens: as memory holds them, block after block. Rows of
// tokens (nhd, hnd, packed) stand one after the other; slabs of split_x keep their order of elements and slots, so that
// a stage holds whole blocks.

namespace kvarium {

constexpr int stage_tokens = value_is_transposed ? larger(variant::block_size, variant::block_n) : variant::block_n;
constexpr int steps_per_stage = stage_tokens / variant::block_n;

/// Bytes of one token's K, or V.
constexpr int row_bytes = variant::head_size * cache_element_bytes;
/// Rows that are copied one by one lie apart in banks too.
constexpr int row_padding = variant::layout == CacheLayout::nhd ? 16 : 0;
constexpr int half_stage_bytes = stage_tokens * (row_bytes + row_padding);
constexpr int stage_bytes = 2 * half_stage_bytes;

constexpr bool cells_are_packed = variant::layout == CacheLayout::packed;
constexpr int row_pitch = cells_are_packed ? 2 * row_bytes : row_bytes + row_padding;
constexpr int first_value_byte = cells_are_packed ? row_bytes : half_stage_bytes;
static_assert(variant::ring_bytes == variant::warps * (variant::stages * (stage_bytes + 16) + 8),
              "the host plans the same shared memory");

/// Byte of a token's first key in a stage. The offset of a sum of tokens is the sum of offsets wherever the operands
/// of a lane need it.
constexpr int key_offset(int token) {
  if constexpr (!value_is_transposed) return token * row_pitch;
  return token / variant::block_size * variant::block_size * row_bytes + token % variant::block_size * 16;
}

/// Byte of a token's first value, from the first token's.
constexpr int value_offset(int token) {
  if constexpr (!value_is_transposed) return token * row_pitch;
  return token / variant::block_size * variant::block_size * row_bytes +
         token % variant::block_size * cache_element_bytes;
}

/// Keys of one step as a lane's operands; see KeyOperands::index_of.
class SlabKeys {
 public:
  /// `first_token`: of the step, in the stage.
  SlabKeys(const char* stage, int first_token, Lane lane)
      : own_(stage + key_offset(first_token) + key_offset(token_in_span(lane.row, 0, 0)) + lane.column * piece_pitch),
        lane_(lane) {}

  Piece<4> operator[](int index) const {
    const int piece = index % key_pieces_per_lane;
    const int half = index / key_pieces_per_lane % 2;
    const int tile = index / key_pieces_per_lane / 2;
    if (!has_key_piece(lane_, piece)) return {};
    const int token = tile / tiles_per_span * span_tokens + token_in_span(0, tile % tiles_per_span, half);
    return read_piece<4>(own_ + key_offset(token) + 4 * piece * piece_pitch);
  }

 private:
  static constexpr int piece_pitch = value_is_transposed ? variant::block_size * 16 : 16;

  const char* own_;
  Lane lane_;
};

/// Values of one step as a lane's operands; see RowValues::index_of and TransposedValues::index_of.
class SlabValues {
  static constexpr int words = ValueOperands::piece_words;

 public:
  SlabValues(char* stage, int first_token, Lane lane)
      : own_(stage + first_value_byte + value_offset(first_token) + value_offset(tokens_per_lane * lane.column) +
             lane.row * piece_pitch),
        lane_(lane) {}

  Piece<words> operator[](int index) const {
    if (!exists(index)) return {};
    return read_piece<words>(place(index));
  }
  void set(int index, const Piece<words>& piece) {
    if (exists(index)) write_piece(place(index), piece);
  }

 private:
  static constexpr int piece_pitch =
      value_is_transposed ? variant::block_size * cache_element_bytes : value_piece_elements * cache_element_bytes;
  static constexpr int pieces_per_token = value_is_transposed ? variant::head_size / 8 : value_pieces_per_lane;

  bool exists(int index) const { return value_is_transposed || has_value_piece(lane_, index % pieces_per_token); }

  char* place(int index) const {
    const int piece = index % pieces_per_token;
    const int outer = index / pieces_per_token;
    const int token =
        value_is_transposed ? outer * span_tokens : outer / tokens_per_lane * tile_tokens + outer % tokens_per_lane;
    return own_ + value_offset(token) + 8 * piece * piece_pitch;
  }

  char* own_;
  Lane lane_;
};

}  // namespace kvarium
