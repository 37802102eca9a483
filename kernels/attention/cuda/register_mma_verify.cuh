#pragma once

#include "kernels/attention/cuda/register_mma_mixed.cuh"
#include "kernels/attention/cuda/register_mma_row_values.cuh"
#include "kernels/attention/cuda/register_mma_transposed_values.cuh"
#include "kernels/attention/cuda/register_mma_weighted.cuh"

namespace kvarium {

using ValueOperands = Selected<value_is_transposed, TransposedValues, RowValues>;
using StepChecksum = Selected<variant::checksum == SliceChecksum::mixed_sum, MixedStep, WeightedStep>;

/// Verifies the slices of a warp's work as their keys and values pass through its registers.
class SliceVerifier {
 public:
  SliceVerifier(const AttentionParameters& parameters, const WarpWork& work) : step_(parameters, work.kv_head) {}

  /// Adds the keys of the step from `first_token` on.
  template <class Pieces>
  void add_keys(const AttentionParameters& parameters, const WarpWork& work, const Pieces& keys, int first_token,
                Lane lane) {
    const int block = block_of_lane(first_token);
    if (answers(work, block)) prefetch_record(parameters, work.sequence, block, work.kv_head);
    step_.start(first_token);
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int first_of_span = tile / tiles_per_span * span_tokens;
        const int offset = first_of_span + token_in_span(lane.row, tile % tiles_per_span, half);
        auto cell = step_.template cell<span_tokens>(first_of_span, offset, KeyOperands::first_pair(lane));
        KeyOperands::add_pieces(keys, cell, tile, half);
        // Slots past the end repeat the last token's keys.
        add({first_of_span, offset, first_token + offset < work.end_token ? cell.value() : 0});
      }
    }
  }

  /// Adds the step's values, after its keys.
  template <class Pieces>
  void add_values(const Pieces& values, Lane lane) {
#pragma unroll
    for (int i = 0; i < ValueOperands::num_token_sums; ++i) {
      add(ValueOperands::token_sum(values, i, step_, lane));
    }
  }

  /// Judges the slices that end with the step. It waits for their records, so whatever the next step needs from memory
  /// should be on its way by then.
  void judge_step(const AttentionParameters& parameters, const WarpWork& work, int first_token) {
    const int end = first_token + variant::block_n;
    if (variant::block_size <= variant::block_n || end % variant::block_size == 0 || end >= work.end_token) {
      judge(parameters, work, first_token);
    }
  }

  /// Counts the slices of the whole work.
  void report(const AttentionParameters& parameters, const WarpWork& work) const {
    const int unverified = static_cast<int>(__reduce_add_sync(whole_warp, static_cast<uint32>(unverified_)));
    const int first = work.first_token / variant::block_size;
    const int slices = (work.end_token + variant::block_size - 1) / variant::block_size - first;
    if (threadIdx.x % warp_size == 0 && is_first_warp(work)) count_slices(parameters, slices - unverified, unverified);
    __syncwarp();
  }

 private:
  static constexpr int slices_per_step = larger(variant::block_n / variant::block_size, 1);
  static constexpr int lanes_per_slice = warp_size / slices_per_step;

  /// Warps with further query heads of a KV head read the same cells.
  static bool is_first_warp(const WarpWork& work) {
    return warps_per_kv_head == 1 || work.first_head == work.kv_head * variant::query_heads_per_kv_head;
  }

  /// The slice this lane answers for, as a logical block.
  static int block_of_lane(int first_token) {
    return first_token / variant::block_size + static_cast<int>(threadIdx.x) % warp_size / lanes_per_slice;
  }

  bool answers(const WarpWork& work, int block) const {
    return threadIdx.x % lanes_per_slice == 0 && block * variant::block_size < work.end_token && is_first_warp(work);
  }

  void add(const TokenSum& token) {
    if constexpr (slices_per_step == 1) {
      sums_[0] += token.sum;
    } else if constexpr (span_tokens <= variant::block_size) {
      sums_[token.first_of_span / variant::block_size] += token.sum;
    } else {
      // Adding zeros elsewhere keeps all sums in registers; a slice picked by its number would put them into memory.
#pragma unroll
      for (int slice = 0; slice < slices_per_step; ++slice) {
        sums_[slice] += token.offset / variant::block_size == slice ? token.sum : 0;
      }
    }
  }

  void judge(const AttentionParameters& parameters, const WarpWork& work, int first_token) {
    const uint64 sum = sum_over_warp(sums_);
#pragma unroll
    for (uint64& part : sums_) part = 0;
    const int block = block_of_lane(first_token);
    if (answers(work, block)) {
      const int first = block * variant::block_size;
      const bool is_whole = first >= work.first_token;
      const int valid_tokens = smaller(parameters.seq_lens[work.sequence] - first, variant::block_size);
      if (!is_whole || !verify_slice<StepChecksum>(parameters, sum, valid_tokens, work.sequence, block, work.kv_head)) {
        ++unverified_;
      }
    }
    __syncwarp();
  }

  StepChecksum step_;
  int unverified_ = 0;  // slices this lane answered for
  uint64 sums_[slices_per_step] = {};
};

}  // namespace kvarium
