#pragma once

#include "kernels/attention/cuda/gqa_packed_mixed.cuh"
#include "kernels/attention/cuda/gqa_packed_places.cuh"
#include "kernels/attention/cuda/gqa_packed_weighted.cuh"

namespace kvarium {

using StepChecksum = Selected<variant::checksum == SliceChecksum::mixed_sum, MixedStep, WeightedStep>;

/// What a warp's lane has summed of the slices of one step.
class StepSums {
 public:
  static constexpr int slices = StepPlaces::units_per_step;

  StepSums(const AttentionParameters& parameters, const BlockWork& work) : checksum_(parameters, work.kv_head) {}

  /// Begins the step from `first_token` on. The whole warp calls it.
  void start(int first_token) { checksum_.start(first_token); }
  const StepChecksum& checksum() const { return checksum_; }

  /// `span_tokens` tokens from `first_of_span` on, a constant, are what all lanes' tokens lie in; `offset`: of this
  /// lane's first one.
  template <int span_tokens>
  void add(int first_of_span, int offset, uint64 sum) {
    if constexpr (slices == 1) {
      sums_[0] += sum;
    } else if constexpr (span_tokens <= variant::block_size) {
      sums_[first_of_span / variant::block_size] += sum;
    } else {
#pragma unroll
      for (int slice = 0; slice < slices; ++slice) {
        if (offset / variant::block_size == slice) sums_[slice] += sum;
      }
    }
  }

  /// Sum of slice `this_lane() / (32 / slices)` over the warp; starts anew.
  uint64 take() {
    const uint64 sum = sum_over_warp(sums_);
#pragma unroll
    for (uint64& part : sums_) part = 0;
    return sum;
  }

 private:
  StepChecksum checksum_;
  uint64 sums_[slices] = {};
};

/// What a lane has summed of a step's K, or of its V where a token's elements lie side by side.
class RowSums {
 public:
  /// `first_word`: of K or V in its cell.
  RowSums(StepSums& step, int first_word) : step_(step), rows_(step.checksum(), first_word) {}

  /// Adds the lane's pieces of row `row`, a constant. The whole warp calls it together.
  void add(const Piece<piece_words> (&pieces)[pieces_per_lane], int row) { rows_.add(pieces, row); }

  /// Adds everything to the step.
  void put() const {
#pragma unroll
    for (int i = 0; i < row_parts_per_step; ++i) {
      const int row = i * rows_per_part;
      step_.add<tokens_per_row>(row * tokens_per_row, token_of_row(row), rows_.value(i));
    }
  }

 private:
  StepSums& step_;
  StepChecksum::Rows rows_;
};

/// The slices of a thread block's partition: what its warps have summed, in shared memory, until all is read.
class SliceVerifier {
 public:
  static constexpr int bytes =
      variant::verifies ? variant::partition_size / variant::block_size * static_cast<int>(sizeof(uint64)) : 0;

  SliceVerifier(const AttentionParameters& parameters, const BlockWork& work, char* memory)
      : sums_(reinterpret_cast<uint64*>(memory)),
        first_block_(work.first_token / variant::block_size),
        num_slices_((work.end_token + variant::block_size - 1) / variant::block_size - first_block_) {
    if constexpr (variant::verifies) start(parameters, work);
  }

  /// Adds a warp's sums of the step from `first_token` on. Called by the whole warp.
  void add(StepSums& step, int first_token) {
    constexpr int lanes_per_slice = warp_size / StepSums::slices;
    const uint64 sum = step.take();
    const int slice = first_token / variant::block_size + this_lane() / lanes_per_slice - first_block_;
    if (this_lane() % lanes_per_slice == 0 && slice >= 0 && slice < num_slices_) atomicAdd(sums_ + slice, sum);
    __syncwarp();
  }

  /// Judges the slices. Called by all threads, after a barrier behind the last `add`.
  void judge(const AttentionParameters& parameters, const BlockWork& work) const {
    // Thread blocks with further query heads of a KV head read the same cells.
    if (work.first_head != work.kv_head * variant::query_heads_per_kv_head) return;
    int unverified = 0;
    for (int first = 0; first < num_slices_; first += num_threads) {
      const int slice = first + static_cast<int>(threadIdx.x);
      unverified += __syncthreads_count(slice < num_slices_ && !is_verified(parameters, work, slice));
    }
    if (threadIdx.x == 0) count_slices(parameters, num_slices_ - unverified, unverified);
  }

 private:
  static constexpr int num_threads = warp_size * variant::warps;

  void start(const AttentionParameters& parameters, const BlockWork& work) {
    for (int slice = static_cast<int>(threadIdx.x); slice < num_slices_; slice += num_threads) {
      prefetch_record(parameters, work.sequence, first_block_ + slice, work.kv_head);
      sums_[slice] = 0;
    }
    __syncthreads();
  }

  bool is_verified(const AttentionParameters& parameters, const BlockWork& work, int slice) const {
    const int block = first_block_ + slice;
    const int first = block * variant::block_size;
    const int valid_tokens = smaller(parameters.seq_lens[work.sequence] - first, variant::block_size);
    return first >= work.first_token &&
           verify_slice<StepChecksum>(parameters, sums_[slice], valid_tokens, work.sequence, block, work.kv_head);
  }

  uint64* sums_;
  int first_block_;
  int num_slices_;
};

}  // namespace kvarium
