#pragma once

#include "kernels/attention/cuda/register_mma_output.cuh"

namespace kvarium {

/// The values of one step where an element's tokens lie side by side (split_x). A lane holds `tokens_per_lane` tokens
/// of the elements lane.row + 8 * index.
class TransposedValues {
  static constexpr int elements_per_word = 4 / cache_element_bytes;

 public:
  static constexpr int rows = variant::head_size / 8;
  static constexpr int num_pieces = spans_per_step * rows;
  static constexpr int piece_words = tokens_per_lane / elements_per_word;
  static constexpr int index_of(int span, int row) { return span * rows + row; }

  TransposedValues(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : base_(static_cast<const char*>(parameters.value) +
              (work.kv_head * parameters.value_strides.kv_head + lane.row * parameters.value_strides.group) *
                  cache_element_bytes) {}

  template <class Pieces>
  void load(Pieces& pieces, const AttentionParameters& parameters, const GroupPlaces& places, int first_group,
            Lane lane) const {
#pragma unroll
    for (int span = 0; span < spans_per_step; ++span) {
      const int token = tokens_per_lane * lane.column;
      const GroupPlace place = places(first_group + span * tiles_per_span + token / tile_tokens);
      // The slots lie in a block that is attended, so the whole piece may be read, whatever it holds.
      const int slot = place.first_slot + token % tile_tokens;
      const int64 offset = place.block * parameters.value_strides.block + slot * parameters.value_strides.token;
      const char* const piece = base_ + offset * cache_element_bytes;
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        pieces.load(index_of(span, i), piece + 8 * i * parameters.value_strides.group * cache_element_bytes, true);
      }
    }
  }

  /// A piece may hold slots that are not attended; they become 0, since weight 0 does not silence infinity or NaN.
  template <class Pieces>
  static void mask(Pieces& pieces, const WarpWork& work, int first_token, Lane lane) {
#pragma unroll
    for (int span = 0; span < spans_per_step; ++span) {
      const int token = first_token + span * span_tokens + tokens_per_lane * lane.column;
      Piece<piece_words> kept;
#pragma unroll
      for (int word = 0; word < piece_words; ++word) {
        kept.word[word] = attended_bits(work, token + word * elements_per_word);
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) pieces.set(index_of(span, i), common_bits(pieces[index_of(span, i)], kept));
    }
  }

  /// Runs of tokens of which a lane holds elements, and what they add to the sum of their slice; tokens that are masked
  /// add nothing. `step`: its checksum.
  static constexpr int num_token_sums = spans_per_step;
  template <class Pieces, class Step>
  static TokenSum token_sum(const Pieces& pieces, int index, const Step& step, Lane lane) {
    const int offset = index * span_tokens + tokens_per_lane * lane.column;
    return {index * span_tokens, offset, step.template run_sum<TransposedValues>(pieces, index, offset, lane)};
  }

  template <class Pieces>
  static void add(const Pieces& pieces, const WeightOperands& weights, Output& output) {
#pragma unroll
    for (int span = 0; span < spans_per_step; ++span) {
#pragma unroll
      for (int elements = 0; elements < output_tiles; ++elements) {
        const Piece<piece_words>& upper = pieces[index_of(span, 2 * elements)];
        const Piece<piece_words>& lower = pieces[index_of(span, 2 * elements + 1)];
#pragma unroll
        for (int tile = 0; tile < tiles_per_span; ++tile) {
          add_tile(upper, lower, tile, weights.word[span * tiles_per_span + tile], output.sum[elements]);
        }
      }
    }
  }

 private:
  /// Adds one tile of the span that the two pieces belong to.
  static void add_tile(const Piece<piece_words>& upper, const Piece<piece_words>& lower, int tile,
                       const uint32 (&weights)[head_tiles][2], float (&sums)[head_tiles][4]) {
    const int pair = 2 * tile;
    const uint32 left[4] = {operand_pair<variant::cache_type, operand_type>(upper.word, pair),
                            operand_pair<variant::cache_type, operand_type>(lower.word, pair),
                            operand_pair<variant::cache_type, operand_type>(upper.word, pair + 1),
                            operand_pair<variant::cache_type, operand_type>(lower.word, pair + 1)};
#pragma unroll
    for (int heads = 0; heads < head_tiles; ++heads) {
      multiply_add<operand_type>(sums[heads], left, weights[heads]);
    }
  }

  static Piece<piece_words> common_bits(Piece<piece_words> left, const Piece<piece_words>& right) {
#pragma unroll
    for (int word = 0; word < piece_words; ++word) left.word[word] &= right.word[word];
    return left;
  }

  /// Ones where the tokens from `token` on, one after the other in a word, are attended.
  static uint32 attended_bits(const WarpWork& work, int token) {
    uint32 bits = 0;
#pragma unroll
    for (int i = 0; i < elements_per_word; ++i) {
      const bool is_attended = token + i >= work.first_token && token + i < work.end_token;
      constexpr uint32 element = cache_element_bytes == 2 ? 0xFFFFU : 0xFFU;
      if (is_attended) bits |= element << (i * 8 * cache_element_bytes);
    }
    return bits;
  }

  const char* base_;  // element lane.row of slot 0 of block 0
};

}  // namespace kvarium
