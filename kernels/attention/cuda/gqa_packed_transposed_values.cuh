#pragma once

#include "kernels/attention/cuda/gqa_packed_copy.cuh"
#include "kernels/attention/cuda/gqa_packed_output.cuh"
#include "kernels/attention/cuda/gqa_packed_places.cuh"
#include "kernels/attention/cuda/gqa_packed_verify.cuh"
#include "kernels/attention/cuda/gqa_packed_weights.cuh"
#include "kernels/cuda/device/element_words.cuh"

namespace kvarium {

/// Values where an element's tokens lie side by side (split_x). A lane takes, of its elements, the pieces
/// `group * value_lanes + lane % value_lanes` of a step.
class TransposedValues {
 public:
  static constexpr int value_piece_bytes = variant::value_piece_bytes;
  static constexpr int piece_tokens = value_piece_bytes / cache_element_bytes;
  static constexpr int group_tokens = piece_tokens * value_lanes;
  static constexpr int groups = variant::block_n / group_tokens;
  static_assert(variant::block_n % group_tokens == 0 && StepPlaces::unit_tokens % piece_tokens == 0,
                "pieces fit steps and blocks");
  static constexpr int stage_bytes = groups * num_output_sums * warp_size * value_piece_bytes;

  /// Tokens of a piece that are read back at once, with their weights, and words that hold them.
  static constexpr int run_tokens = variant::value_run_tokens;
  static constexpr int elements_in_word = elements_per_word(variant::cache_type);
  static constexpr int run_words = run_tokens / elements_in_word;
  static_assert(piece_tokens % run_tokens == 0, "a piece is a number of whole runs");

  TransposedValues(const AttentionParameters& parameters, const BlockWork& work, char* memory)
      : strides_(parameters.value_strides),
        base_(static_cast<const char*>(parameters.value) +
              (work.kv_head * strides_.kv_head + element_of_sum(0) * strides_.group) * cache_element_bytes),
        memory_(memory + this_lane() * value_piece_bytes) {}

  /// Starts the copies of the step that `places` is at.
  void start(const StepPlaces& places, int stage) const {
    const int64 element_distance = value_elements_per_row * strides_.group * cache_element_bytes;
#pragma unroll
    for (int group = 0; group < groups; ++group) {
      const int token = first_token_of(group);
      // The slots lie in a block that is attended, so the whole piece may be read, whatever it holds.
      const int slot = places.slot(token) / piece_tokens * piece_tokens;
      const int64 block = places.block(token / StepPlaces::unit_tokens);
      const char* piece = base_ + (block * strides_.block + slot * strides_.token) * cache_element_bytes;
#pragma unroll
      for (int i = 0; i < num_output_sums; ++i, piece += element_distance) {
        if (has_element(i)) copy_cache_piece<value_piece_bytes>(place_in_memory(stage, group, i), piece);
      }
    }
  }

  /// Elements that a lane has no part in are zero for good.
  void clear_unused() const {
    if constexpr (variant::head_size % value_elements_per_row != 0) {
#pragma unroll 1
      for (int group = 0; group < variant::stages * groups; ++group) {
        if (has_element(num_output_sums - 1)) continue;
        *reinterpret_cast<Piece<value_piece_bytes / 4>*>(place_in_memory(0, group, num_output_sums - 1)) = {};
      }
      __syncwarp();
    }
  }

  /// A piece may hold slots that are not attended; they become 0, since weight 0 does not silence infinity or NaN.
  void silence(const BlockWork& work, int first_token, int stage) const {
#pragma unroll 1
    for (int group = 0; group < groups; ++group) {
#pragma unroll
      for (int word = 0; word < value_piece_bytes / 4; ++word) {
        const uint32 kept = attended_bits(work, first_token + first_token_of(group) + word * elements_in_word);
#pragma unroll
        for (int i = 0; i < num_output_sums; ++i) {
          reinterpret_cast<uint32*>(place_in_memory(stage, group, i))[word] &= kept;
        }
      }
    }
    __syncwarp();
  }

  /// Adds the weighted values of the step that have come to `stage`.
  void add(const SharedWeights& shared, int stage, Output& output, StepSums& sums) const {
#pragma unroll
    for (int group = 0; group < groups; ++group) {
#pragma unroll
      for (int run = 0; run < piece_tokens; run += run_tokens) {
        const int offset = first_token_of(group) + run;
        float weights[heads_per_block][run_tokens];
#pragma unroll
        for (int head = 0; head < heads_per_block; ++head) shared.read(head, offset, weights[head]);
        StepChecksum::Run<TransposedValues> run_sums(sums.checksum(), group * group_tokens, offset);
#pragma unroll
        for (int i = 0; i < num_output_sums; ++i) {
          const Run values =
              *reinterpret_cast<const Run*>(place_in_memory(stage, group, i) + run * cache_element_bytes);
          add_run(values, weights, i, output);
          if constexpr (variant::verifies) run_sums.add(values, i);
        }
        if constexpr (variant::verifies) {
          sums.add<group_tokens>(group * group_tokens, offset, run_sums.value());
        }
      }
    }
  }

 private:
  using Run = Piece<run_words>;

  static void add_run(const Run& run, const float (&weights)[heads_per_block][run_tokens], int index, Output& output) {
    float values[run_tokens];
    decode_words<variant::cache_type>(run.word, values);
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
#pragma unroll
      for (int token = 0; token < run_tokens; ++token) output.sum[head][index] += weights[head][token] * values[token];
    }
  }

  /// Token of the step that a lane's piece begins with.
  static int first_token_of(int group) { return group * group_tokens + this_lane() % value_lanes * piece_tokens; }
  static bool has_element(int index) {
    return variant::head_size % value_elements_per_row == 0 || element_of_sum(index) < variant::head_size;
  }

  char* place_in_memory(int stage, int group, int index) const {
    const int number = (stage * groups + group) * num_output_sums + index;
    return memory_ + number * (warp_size * value_piece_bytes);
  }

  /// Ones where the tokens from `token` on, one after the other in a word, are attended.
  static uint32 attended_bits(const BlockWork& work, int token) {
    constexpr uint32 element = 0xFFFFFFFFU >> (32 - 8 * cache_element_bytes);
    uint32 bits = 0;
#pragma unroll
    for (int i = 0; i < elements_in_word; ++i) {
      if (work.attends(token + i)) bits |= element << (i * 8 * cache_element_bytes);
    }
    return bits;
  }

  const TensorStrides& strides_;
  const char* base_;  // this lane's first element in slot 0 of block 0
  char* memory_;
};

}  // namespace kvarium
