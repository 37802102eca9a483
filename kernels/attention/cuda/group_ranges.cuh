#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/attention/cuda/visible_tokens.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// The persistent schedule: the visible blocks of all sequences, one after the other, are cut into as many
// ranges of equal length as warps run at once for each KV head. A range may end inside a sequence; its partial result
// then waits in one of the range's two rows of partial results, the first one if the range begins with it.

namespace kvarium {

/// A group is a logical block, so that one warp reads each slice whole.
constexpr int group_tokens = variant::block_size;

/// Blocks of one sequence that hold visible tokens.
struct SequenceGroups {
  int first;
  int count;
};

inline SequenceGroups groups_of(const AttentionParameters& parameters, int sequence) {
  if (sequence >= parameters.num_sequences) return {0, 0};
  const int length = parameters.seq_lens[sequence];
  const int first = static_cast<int>(first_visible_token(length, parameters.sliding_window)) / group_tokens;
  return {first, (length + group_tokens - 1) / group_tokens - first};
}

/// A group of the batch: `group` counts from the sequence's first visible one.
struct GroupPosition {
  int sequence;
  int group;
};

/// The groups of all sequences, counted by the lanes of a warp: each lane keeps the sums of a run of sequences. All
/// functions are called by whole warps with the same arguments in every lane.
class BatchGroups {
 public:
  explicit BatchGroups(const AttentionParameters& parameters)
      : run_length_((parameters.num_sequences + warp_size - 1) / warp_size) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (int i = 0; i < run_length_; ++i) own_ += groups_of(parameters, lane * run_length_ + i).count;
    int inclusive = own_;
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const int other = __shfl_up_sync(whole_warp, inclusive, distance);
      if (lane >= distance) inclusive += other;
    }
    before_ = inclusive - own_;
    total_ = __shfl_sync(whole_warp, inclusive, warp_size - 1);
  }

  int total() const { return total_; }

  /// Where the group `position` < total() of the batch lies.
  GroupPosition locate(const AttentionParameters& parameters, int position) const {
    const uint32 owners = __ballot_sync(whole_warp, before_ <= position && position < before_ + own_);
    const int owner = __ffs(static_cast<int>(owners)) - 1;
    int left = position - __shfl_sync(whole_warp, before_, owner);
    int sequence = owner * run_length_;
    for (int count = 0; left >= (count = groups_of(parameters, sequence).count); ++sequence) left -= count;
    return {sequence, left};
  }

 private:
  int run_length_;
  int own_ = 0;
  int before_ = 0;
  int total_ = 0;
};

/// Groups of the batch, and those of all sequences before one of them.
struct GroupCounts {
  int before;
  int total;
};

/// Called by whole warps. Its reads lie side by side, unlike those of BatchGroups: the reduction has many more warps.
inline GroupCounts count_groups(const AttentionParameters& parameters, int sequence) {
  int before = 0, total = 0;
  for (int i = static_cast<int>(threadIdx.x) % warp_size; i < parameters.num_sequences; i += warp_size) {
    const int count = groups_of(parameters, i).count;
    total += count;
    if (i < sequence) before += count;
  }
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    before += __shfl_xor_sync(whole_warp, before, distance);
    total += __shfl_xor_sync(whole_warp, total, distance);
  }
  return {before, total};
}

/// `count` ranges of `total` groups: the first `longer` ones have a group more than the others. Ranges may be empty
/// where there are fewer groups than ranges.
struct GroupRanges {
  int count, length, longer;

  GroupRanges(int total, int num_ranges)
      : count(num_ranges), length(total / num_ranges), longer(total - total / num_ranges * num_ranges) {}

  int begin(int range) const { return range * length + smaller(range, longer); }
  int size(int range) const { return length + (range < longer ? 1 : 0); }
  /// The range that holds a group.
  int holding(int position) const {
    const int in_longer = longer * (length + 1);
    return position < in_longer ? position / (length + 1) : longer + (position - in_longer) / length;
  }
};

/// Row of partial results of a head in a range's first or second part.
inline int64 range_row(const AttentionParameters& parameters, int range, bool is_second, int head) {
  return (2LL * range + (is_second ? 1 : 0)) * parameters.num_heads + head;
}

}  // namespace kvarium
