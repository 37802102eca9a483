#pragma once

#include "kernels/attention/cuda/register_mma_output.cuh"

namespace kvarium {

/// The values of one step where an element's tokens lie side by side (split_x). A lane holds `tokens_per_lane` tokens
/// of the elements lane.row + 8 * index.
class TransposedValues {
 public:
  TransposedValues(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : base_(static_cast<const char*>(parameters.value) +
              (work.kv_head * parameters.value_strides.kv_head + lane.row * parameters.value_strides.group) *
                  cache_element_bytes) {}

  void load(const AttentionParameters& parameters, const GroupPlaces& places, int first_group, Lane lane) {
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
        load_cache_piece(pieces_[span][i], piece + 8 * i * parameters.value_strides.group * cache_element_bytes);
      }
    }
  }

  /// A piece may hold slots that are not attended; they become 0, since weight 0 does not silence infinity or NaN.
  void mask(const WarpWork& work, int first_token, Lane lane) {
#pragma unroll
    for (int span = 0; span < spans_per_step; ++span) {
      const int token = first_token + span * span_tokens + tokens_per_lane * lane.column;
#pragma unroll
      for (int word = 0; word < words; ++word) {
        const uint32 kept = attended_bits(work, token + word * elements_per_word);
#pragma unroll
        for (int i = 0; i < rows; ++i) pieces_[span][i].word[word] &= kept;
      }
    }
  }

  /// Runs of tokens of which a lane holds elements, and what they add to the sum of their slice; tokens that are masked
  /// add nothing. An element stands at byte `place` of the piece that holds it. `first_token`: of the step.
  static constexpr int num_token_sums = spans_per_step;
  TokenSum token_sum(int index, int first_token, Lane lane) const {
    const int offset = index * span_tokens + tokens_per_lane * lane.column;
    uint32 plain = 0, by_token = 0, by_piece = 0;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      uint32 row_sum = 0;
#pragma unroll
      for (int word = 0; word < words; ++word) {
        const uint32 elements = pieces_[index][i].word[word];
        row_sum = add_elements(elements, 0x01010101U, row_sum);
        by_token = add_elements(elements, numbers_from(word * elements_per_word), by_token);
      }
      plain += row_sum;
      by_piece += static_cast<uint32>(i * cache_element_bytes) * row_sum;
    }
    const int byte = lane.row * cache_element_bytes;
    const int piece = pieces_per_half_cell + byte / verified_piece_bytes;
    const uint64 sum =
        piece_weight(first_token + offset, piece) * plain + 2 * (uint64{pieces_per_cell} * by_token + uint64{by_piece});
    return {index * span_tokens, offset, sum << (8 * (byte % verified_piece_bytes))};
  }

  void add(const WeightOperands& weights, Output& output) const {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int elements = 0; elements < output_tiles; ++elements) {
        const uint32* const upper = pieces_[tile / tiles_per_span][2 * elements].word;
        const uint32* const lower = pieces_[tile / tiles_per_span][2 * elements + 1].word;
        const int pair = tile % tiles_per_span * 2;
        const uint32 left[4] = {operand_pair<variant::cache_type, variant::query_type>(upper, pair),
                                operand_pair<variant::cache_type, variant::query_type>(lower, pair),
                                operand_pair<variant::cache_type, variant::query_type>(upper, pair + 1),
                                operand_pair<variant::cache_type, variant::query_type>(lower, pair + 1)};
#pragma unroll
        for (int heads = 0; heads < head_tiles; ++heads) {
          multiply_add<variant::query_type>(output.sum[elements][heads], left, weights.word[tile][heads]);
        }
      }
    }
  }

 private:
  static constexpr int rows = variant::head_size / 8;
  static constexpr int elements_per_word = 4 / cache_element_bytes;
  static constexpr int words = tokens_per_lane / elements_per_word;

  /// Sum of a word's elements, each times its byte of `factors`, and of `sum`.
  static uint32 add_elements(uint32 word, uint32 factors, uint32 sum) {
    uint32 result;
    if constexpr (cache_element_bytes == 2) {
      asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(factors), "r"(sum));
    } else {
      asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(factors), "r"(sum));
    }
    return result;
  }
  /// Bytes first, first + 1, ...
  static constexpr uint32 numbers_from(int first) { return 0x03020100U + 0x01010101U * static_cast<uint32>(first); }

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
  Piece<words> pieces_[spans_per_step][rows];
};

}  // namespace kvarium
