#pragma once

#include "kernels/attention/cuda/register_mma_query.cuh"
#include "kernels/attention/cuda/verified_slice.cuh"
#include "kernels/cuda/device/element_pair.cuh"
#include "kernels/cuda/device/matrix.cuh"

namespace kvarium {

/// Reads a piece of the cache.
template <int words>
void load_cache_piece(Piece<words>& piece, const char* address) {
  if constexpr (variant::pieces_are_aligned) {
    load_streamed(piece, address);
  } else {
    load_scattered<RawElement<variant::cache_type>>(piece, address);
  }
}

/// Query-key products of one step. Sum e of a lane belongs to the token in row `lane.row + 8 * (e / 2)` of the tile and
/// to head 2 * lane.column + e % 2 of the head tile.
struct Scores {
  float sum[tiles_per_step][head_tiles][4];
};

/// The keys of one step in registers, as they came from memory.
class KeyOperands {
 public:
  KeyOperands(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : piece_stride_(variant::layout == CacheLayout::split_x ? parameters.key_strides.group : key_piece_elements),
        base_(static_cast<const char*>(parameters.key) +
              (work.kv_head * parameters.key_strides.kv_head + lane.column * piece_stride_) * cache_element_bytes) {}

  void load(const AttentionParameters& parameters, const GroupPlaces& places, int first_group, Lane lane) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
      const int span = tile / tiles_per_span;
      const int token = token_in_span(lane.row, tile % tiles_per_span, 0);
      const GroupPlace place = places(first_group + span * tiles_per_span + token / tile_tokens);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int slot = place.slot(token % tile_tokens + token_in_span(0, 0, half));
        const int64 offset = place.block * parameters.key_strides.block + slot * parameters.key_strides.token;
        load_token(tile, half, base_ + offset * cache_element_bytes, lane);
      }
    }
  }

  /// Adds the pieces of a row's token that this lane holds. `weight`: of the lane's first piece.
  void add_pieces(NarrowSum& sum, int tile, int half, uint32 weight) const {
#pragma unroll
    for (int i = 0; i < key_pieces_per_lane; ++i) {
      const auto& words = pieces_[tile][half][i].word;
      sum.add(words[0], words[1], weight + 2 * (8 * i));
      sum.add(words[2], words[3], weight + 2 * (8 * i + 1));
    }
  }

  Scores multiply(const QueryOperands& query) const {
    Scores scores{};
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int i = 0; i < key_pieces_per_lane; ++i) multiply_piece(query, tile, i, scores.sum[tile]);
    }
    return scores;
  }

 private:
  static constexpr auto query_type = variant::query_type;

  void load_token(int tile, int half, const char* token, Lane lane) {
#pragma unroll
    for (int i = 0; i < key_pieces_per_lane; ++i) {
      pieces_[tile][half][i] = {};
      if (has_key_piece(lane, i)) {
        load_cache_piece(pieces_[tile][half][i], token + 4 * i * piece_stride_ * cache_element_bytes);
      }
    }
  }

  /// A piece has 4 elements of each row for one multiplication, 16 over the four columns.
  void multiply_piece(const QueryOperands& query, int tile, int index, float (&sums)[head_tiles][4]) const {
    const uint32* const upper = pieces_[tile][0][index].word;
    const uint32* const lower = pieces_[tile][1][index].word;
#pragma unroll
    for (int pair = 0; pair < key_piece_elements / 2; pair += 2) {
      const uint32 left[4] = {operand_pair<variant::cache_type, query_type>(upper, pair),
                              operand_pair<variant::cache_type, query_type>(lower, pair),
                              operand_pair<variant::cache_type, query_type>(upper, pair + 1),
                              operand_pair<variant::cache_type, query_type>(lower, pair + 1)};
#pragma unroll
      for (int tile_of_heads = 0; tile_of_heads < head_tiles; ++tile_of_heads) {
        uint32 right[2];
        query.right_operand(tile_of_heads, index, pair, right);
        multiply_add<query_type>(sums[tile_of_heads], left, right);
      }
    }
  }

  int64 piece_stride_;  // elements between two columns of one row
  const char* base_;    // first piece of this lane's column in slot 0 of block 0
  Piece<4> pieces_[tiles_per_step][2][key_pieces_per_lane];
};

}  // namespace kvarium
