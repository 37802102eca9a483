#pragma once

#include "kernels/attention/cuda/register_mma_pieces.cuh"
#include "kernels/attention/cuda/register_mma_query.cuh"
#include "kernels/cuda/device/element_pair.cuh"
#include "kernels/cuda/device/matrix.cuh"

namespace kvarium {

/// Query-key products of one step. Sum e of a lane belongs to the token in row `lane.row + 8 * (e / 2)` of the tile and
/// to head 2 * lane.column + e % 2 of the head tile.
struct Scores {
  float sum[tiles_per_step][head_tiles][4];
};

/// The keys of one step as a lane holds them: where its pieces lie in memory, and what is multiplied with them.
class KeyOperands {
 public:
  static constexpr int num_pieces = tiles_per_step * 2 * key_pieces_per_lane;
  static constexpr int piece_words = 4;
  static constexpr int index_of(int tile, int half, int piece) {
    return (tile * 2 + half) * key_pieces_per_lane + piece;
  }

  KeyOperands(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : piece_stride_(variant::layout == CacheLayout::split_x ? parameters.key_strides.group : key_piece_elements),
        base_(static_cast<const char*>(parameters.key) +
              (work.kv_head * parameters.key_strides.kv_head + lane.column * piece_stride_) * cache_element_bytes) {}

  template <class Pieces>
  void load(Pieces& pieces, const AttentionParameters& parameters, const GroupPlaces& places, int first_group,
            Lane lane) const {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
      const int span = tile / tiles_per_span;
      const int token = token_in_span(lane.row, tile % tiles_per_span, 0);
      const GroupPlace place = places(first_group + span * tiles_per_span + token / tile_tokens);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int slot = place.slot(token % tile_tokens + token_in_span(0, 0, half));
        const int64 offset = place.block * parameters.key_strides.block + slot * parameters.key_strides.token;
        load_token(pieces, index_of(tile, half, 0), base_ + offset * cache_element_bytes, lane);
      }
    }
  }

  /// Adds the pieces of a row's token that this lane holds to its cell, from word `2 * first_pair` on.
  template <class Pieces, class Cell>
  static void add_pieces(const Pieces& pieces, Cell& cell, int tile, int half) {
#pragma unroll
    for (int i = 0; i < key_pieces_per_lane; ++i) {
      const Piece<4>& piece = pieces[index_of(tile, half, i)];
      cell.add(piece.word[0], piece.word[1], 4 * 4 * i);
      cell.add(piece.word[2], piece.word[3], 4 * 4 * i + 2);
    }
  }
  static int first_pair(Lane lane) { return piece_words / 2 * lane.column; }

  template <class Pieces>
  static Scores multiply(const Pieces& pieces, const QueryOperands& query) {
    Scores scores{};
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int i = 0; i < key_pieces_per_lane; ++i) {
        const Piece<4>& upper = pieces[index_of(tile, 0, i)];
        const Piece<4>& lower = pieces[index_of(tile, 1, i)];
        multiply_piece(query, i, upper, lower, scores.sum[tile]);
      }
    }
    return scores;
  }

 private:
  template <class Pieces>
  void load_token(Pieces& pieces, int first, const char* token, Lane lane) const {
#pragma unroll
    for (int i = 0; i < key_pieces_per_lane; ++i) {
      pieces.load(first + i, token + 4 * i * piece_stride_ * cache_element_bytes, has_key_piece(lane, i));
    }
  }

  /// A piece has 4 elements of each row for one multiplication, 16 over the four columns.
  static void multiply_piece(const QueryOperands& query, int index, const Piece<4>& upper, const Piece<4>& lower,
                             float (&sums)[head_tiles][4]) {
#pragma unroll
    for (int pair = 0; pair < key_piece_elements / 2; pair += 2) {
      const uint32 left[4] = {operand_pair<variant::cache_type, operand_type>(upper.word, pair),
                              operand_pair<variant::cache_type, operand_type>(lower.word, pair),
                              operand_pair<variant::cache_type, operand_type>(upper.word, pair + 1),
                              operand_pair<variant::cache_type, operand_type>(lower.word, pair + 1)};
#pragma unroll
      for (int tile_of_heads = 0; tile_of_heads < head_tiles; ++tile_of_heads) {
        uint32 right[2];
        query.right_operand(tile_of_heads, index, pair, right);
        multiply_add<operand_type>(sums[tile_of_heads], left, right);
      }
    }
  }

  int64 piece_stride_;  // elements between two columns of one row
  const char* base_;    // first piece of this lane's column in slot 0 of block 0
};

}  // namespace kvarium
