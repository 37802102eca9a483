#pragma once

#include "kernels/attention/cuda/register_mma_output.cuh"

namespace kvarium {

/// The values of one step where a token's elements lie side by side (nhd, hnd, packed). A lane holds, of each of its
/// four neighbouring tokens, the pieces `lane.row + 8 * index` of the head.
class RowValues {
 public:
  static constexpr int num_pieces = tiles_per_step * tokens_per_lane * value_pieces_per_lane;
  static constexpr int piece_words = value_piece_elements * cache_element_bytes / 4;
  static constexpr int index_of(int tile, int token, int piece) {
    return (tile * tokens_per_lane + token) * value_pieces_per_lane + piece;
  }

  RowValues(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : base_(static_cast<const char*>(parameters.value) +
              (work.kv_head * parameters.value_strides.kv_head + lane.row * value_piece_elements) *
                  cache_element_bytes) {}

  template <class Pieces>
  void load(Pieces& pieces, const AttentionParameters& parameters, const GroupPlaces& places, int first_group,
            Lane lane) const {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
      const GroupPlace place = places(first_group + tile);
#pragma unroll
      for (int i = 0; i < tokens_per_lane; ++i) {
        const int slot = place.slot(tokens_per_lane * lane.column + i);
        const int64 offset = place.block * parameters.value_strides.block + slot * parameters.value_strides.token;
        load_token(pieces, index_of(tile, i, 0), base_ + offset * cache_element_bytes, lane);
      }
    }
  }

  /// Weight 0 does not silence infinity or NaN, so values outside [first_token, end_token) become 0.
  template <class Pieces>
  static void mask(Pieces& pieces, const WarpWork& work, int first_token, Lane lane) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int i = 0; i < tokens_per_lane; ++i) {
        const int token = first_token + tile_tokens * tile + tokens_per_lane * lane.column + i;
        const bool is_attended = token >= work.first_token && token < work.end_token;
#pragma unroll
        for (int piece = 0; piece < value_pieces_per_lane; ++piece) {
          if (!is_attended) pieces.set(index_of(tile, i, piece), {});
        }
      }
    }
  }

  /// Tokens of which a lane holds pieces, and what they add to the sum of their slice; tokens that are masked add
  /// nothing. `step`: its checksum.
  static constexpr int num_token_sums = tiles_per_step * tokens_per_lane;
  template <class Pieces, class Step>
  static TokenSum token_sum(const Pieces& pieces, int index, const Step& step, Lane lane) {
    const int tile = index / tokens_per_lane;
    const int offset = tile_tokens * tile + tokens_per_lane * lane.column + index % tokens_per_lane;
    const int first_pair = half_cell_bytes / 8 + lane.row * (piece_words / 2);
    auto cell = step.template cell<tile_tokens>(tile_tokens * tile, offset, first_pair);
#pragma unroll
    for (int i = 0; i < value_pieces_per_lane; ++i) {
      const Piece<piece_words>& piece = pieces[index_of(tile, index % tokens_per_lane, i)];
#pragma unroll
      for (int word = 0; word < piece_words; word += 2) {
        cell.add(piece.word[word], piece.word[word + 1], 8 * i * piece_words + word);
      }
    }
    return {tile_tokens * tile, offset, cell.value()};
  }

  template <class Pieces>
  static void add(const Pieces& pieces, const WeightOperands& weights, Output& output) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int piece = 0; piece < value_pieces_per_lane; ++piece) {
        const Piece<piece_words> tokens[] = {pieces[index_of(tile, 0, piece)], pieces[index_of(tile, 1, piece)],
                                             pieces[index_of(tile, 2, piece)], pieces[index_of(tile, 3, piece)]};
#pragma unroll
        for (int pair = 0; pair < value_piece_elements / 2; ++pair) {
          add_pair(tokens, weights, tile, pair, output.sum[piece * value_piece_elements / 2 + pair]);
        }
      }
    }
  }

 private:
  template <class Pieces>
  static void load_token(Pieces& pieces, int first, const char* token, Lane lane) {
#pragma unroll
    for (int i = 0; i < value_pieces_per_lane; ++i) {
      pieces.load(first + i, token + 8 * i * value_piece_elements * cache_element_bytes, has_value_piece(lane, i));
    }
  }

  /// Two elements of four tokens, regrouped to two tokens of an element: element 2 * pair in the tile's upper rows, the
  /// next one in its lower rows.
  static void add_pair(const Piece<piece_words> (&tokens)[4], const WeightOperands& weights, int tile, int pair,
                       float (&sums)[head_tiles][4]) {
    uint32 token[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      token[i] = operand_pair<variant::cache_type, operand_type>(tokens[i].word, pair);
    }
    const uint32 left[4] = {join_lower(token[0], token[1]), join_upper(token[0], token[1]),
                            join_lower(token[2], token[3]), join_upper(token[2], token[3])};
#pragma unroll
    for (int heads = 0; heads < head_tiles; ++heads) {
      multiply_add<operand_type>(sums[heads], left, weights.word[tile][heads]);
    }
  }

  const char* base_;  // first piece of this lane's row in slot 0 of block 0
};

}  // namespace kvarium
