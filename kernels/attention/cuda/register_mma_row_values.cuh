#pragma once

#include "kernels/attention/cuda/register_mma_output.cuh"

namespace kvarium {

/// The values of one step where a token's elements lie side by side (nhd, hnd, packed). A lane holds, of each of its
/// four neighbouring tokens, the pieces `lane.row + 8 * index` of the head.
class RowValues {
 public:
  RowValues(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : base_(static_cast<const char*>(parameters.value) +
              (work.kv_head * parameters.value_strides.kv_head + lane.row * value_piece_elements) *
                  cache_element_bytes) {}

  void load(const AttentionParameters& parameters, const GroupPlaces& places, int first_group, Lane lane) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
      const GroupPlace place = places(first_group + tile);
#pragma unroll
      for (int i = 0; i < tokens_per_lane; ++i) {
        const int slot = place.slot(tokens_per_lane * lane.column + i);
        const int64 offset = place.block * parameters.value_strides.block + slot * parameters.value_strides.token;
        load_token(pieces_[tile][i], base_ + offset * cache_element_bytes, lane);
      }
    }
  }

  /// Weight 0 does not silence infinity or NaN, so values outside [first_token, end_token) become 0.
  void mask(const WarpWork& work, int first_token, Lane lane) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int i = 0; i < tokens_per_lane; ++i) {
        const int token = first_token + tile_tokens * tile + tokens_per_lane * lane.column + i;
        const bool is_attended = token >= work.first_token && token < work.end_token;
#pragma unroll
        for (int piece = 0; piece < value_pieces_per_lane; ++piece) {
          if (!is_attended) pieces_[tile][i][piece] = {};
        }
      }
    }
  }

  /// Tokens of which a lane holds pieces, and what they add to the sum of their slice; tokens that are masked add
  /// nothing. `first_token`: of the step.
  static constexpr int num_token_sums = tiles_per_step * tokens_per_lane;
  TokenSum token_sum(int index, int first_token, Lane lane) const {
    constexpr int piece_words = value_piece_elements * cache_element_bytes / 4;
    const int tile = index / tokens_per_lane;
    const int offset = tile_tokens * tile + tokens_per_lane * lane.column + index % tokens_per_lane;
    const int first_number = pieces_per_half_cell + lane.row * (piece_words / 2);
    const auto weight = static_cast<uint32>(piece_weight(first_token + offset, first_number));
    NarrowSum sum;
#pragma unroll
    for (int i = 0; i < value_pieces_per_lane; ++i) {
      const auto& words = pieces_[tile][index % tokens_per_lane][i].word;
#pragma unroll
      for (int word = 0; word < piece_words; word += 2) {
        sum.add(words[word], words[word + 1], weight + static_cast<uint32>(2 * (8 * i * (piece_words / 2) + word / 2)));
      }
    }
    return {tile_tokens * tile, offset, sum.value()};
  }

  void add(const WeightOperands& weights, Output& output) const {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int piece = 0; piece < value_pieces_per_lane; ++piece) {
#pragma unroll
        for (int pair = 0; pair < value_piece_elements / 2; ++pair) {
          add_pair(weights, tile, piece, pair, output.sum[piece * value_piece_elements / 2 + pair]);
        }
      }
    }
  }

 private:
  using ValuePiece = Piece<value_piece_elements * cache_element_bytes / 4>;

  static void load_token(ValuePiece (&pieces)[value_pieces_per_lane], const char* token, Lane lane) {
#pragma unroll
    for (int i = 0; i < value_pieces_per_lane; ++i) {
      pieces[i] = {};
      if (has_value_piece(lane, i))
        load_cache_piece(pieces[i], token + 8 * i * value_piece_elements * cache_element_bytes);
    }
  }

  /// Two elements of four tokens, regrouped to two tokens of an element: element 2 * pair in the tile's upper rows, the
  /// next one in its lower rows.
  void add_pair(const WeightOperands& weights, int tile, int piece, int pair, float (&sums)[head_tiles][4]) const {
    uint32 token[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      token[i] = operand_pair<variant::cache_type, variant::query_type>(pieces_[tile][i][piece].word, pair);
    }
    const uint32 left[4] = {join_lower(token[0], token[1]), join_upper(token[0], token[1]),
                            join_lower(token[2], token[3]), join_upper(token[2], token[3])};
#pragma unroll
    for (int heads = 0; heads < head_tiles; ++heads) {
      multiply_add<variant::query_type>(sums[heads], left, weights.word[tile][heads]);
    }
  }

  const char* base_;  // first piece of this lane's row in slot 0 of block 0
  ValuePiece pieces_[tiles_per_step][tokens_per_lane][value_pieces_per_lane];
};

}  // namespace kvarium
