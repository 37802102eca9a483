#pragma once

#include "kernels/attention/cuda/group_ranges.cuh"
#include "kernels/attention/cuda/register_mma_result.cuh"

// The persistent schedule: as many warps as run at once, each with an equal share of all groups of its KV head.

namespace kvarium {

/// A warp's share of the launch. Warps of one KV head follow one another, then KV heads, so that warps that run side by
/// side read neighbouring memory.
struct WarpShare {
  int range;
  int kv_head;
  int first_head;
  int num_heads;
};

/// `warp`: number in its thread block.
inline WarpShare warp_share(const AttentionParameters& parameters, int warp) {
  const int unit = static_cast<int>(blockIdx.x) * variant::warps + warp;
  const int first_in_group = unit % warps_per_kv_head * head_tiles * tile_heads;
  WarpShare share;
  share.kv_head = unit / warps_per_kv_head % parameters.num_kv_heads;
  share.range = unit / warps_per_kv_head / parameters.num_kv_heads;
  share.first_head = share.kv_head * variant::query_heads_per_kv_head + first_in_group;
  share.num_heads = smaller(variant::query_heads_per_kv_head - first_in_group, head_tiles * tile_heads);
  return share;
}

/// `count` groups from `position` on, all of one sequence.
inline WarpWork work_of(const AttentionParameters& parameters, const WarpShare& share, GroupPosition position,
                        int count) {
  const int length = parameters.seq_lens[position.sequence];
  const int visible = static_cast<int>(first_visible_token(length, parameters.sliding_window));
  const int first_group = visible / group_tokens + position.group;
  WarpWork work;
  work.sequence = position.sequence;
  work.kv_head = share.kv_head;
  work.first_head = share.first_head;
  work.num_heads = share.num_heads;
  work.first_token = larger(first_group * group_tokens, visible);
  work.end_token = static_cast<int>(smaller((int64{first_group} + count) * group_tokens, int64{length}));
  return work;
}

/// The works of a share, one for each sequence that its range of the batch's groups touches.
class ShareWorks {
 public:
  /// `num_groups` groups from `position` on.
  ShareWorks(GroupPosition position, int num_groups) : position_(position), left_(num_groups) {}

  /// Finds the next work. False after the last one.
  bool next(const AttentionParameters& parameters) {
    for (; left_ > 0; position_ = {position_.sequence + 1, 0}) {
      const int whole = groups_of(parameters, position_.sequence).count;
      count_ = smaller(whole - position_.group, left_);
      left_ -= count_;
      is_whole_ = count_ == whole;
      found_ = position_;
      if (count_ == 0) continue;
      position_ = {position_.sequence + 1, 0};
      return true;
    }
    return false;
  }
  WarpWork work(const AttentionParameters& parameters, const WarpShare& share) const {
    return work_of(parameters, share, found_, count_);
  }
  /// Asks for what the next work begins with, if there is one: its first block ids and its queries.
  void prefetch_next(const AttentionParameters& parameters, const WarpShare& share) const {
    if (left_ <= 0) return;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    constexpr int line_elements = 64;
    const auto* const query = static_cast<const uint16*>(parameters.query) +
                              position_.sequence * parameters.query_stride +
                              int64{share.first_head} * variant::head_size;
    const int index = lane * line_elements;
    if (index < share.num_heads * variant::head_size) asm volatile("prefetch.global.L2 [%0];" ::"l"(query + index));
    const int* const row = parameters.block_tables + position_.sequence * parameters.max_num_blocks_per_sequence;
    if (lane == 0) asm volatile("prefetch.global.L2 [%0];" ::"l"(row));
    __syncwarp();
  }
  /// Whether the work is all that is visible of its sequence.
  bool is_whole() const { return is_whole_; }

 private:
  GroupPosition position_;
  int left_;
  GroupPosition found_{};
  int count_ = 0;
  bool is_whole_ = false;
};

/// Groups [first, end) of the batch that a share has. All lanes of a warp ask for the same share.
inline ShareWorks works_of(const AttentionParameters& parameters, const BatchGroups& groups, const WarpShare& share,
                           int num_ranges) {
  if (share.range >= num_ranges) return {{}, 0};
  const GroupRanges ranges(groups.total(), num_ranges);
  const int count = ranges.size(share.range);
  if (count == 0) return {{}, 0};
  return {groups.locate(parameters, ranges.begin(share.range)), count};
}

/// Attends the warp's share of the batch's groups.
inline void attend_share(const AttentionParameters& parameters, int num_ranges) {
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  if (warp_share(parameters, warp).range >= num_ranges) return;
  ShareWorks works = works_of(parameters, BatchGroups(parameters), warp_share(parameters, warp), num_ranges);
  for (bool is_second = false; works.next(parameters); is_second = true) {
    const WarpShare share = warp_share(parameters, warp);
    const WarpWork work = works.work(parameters, share);
    works.prefetch_next(parameters, share);
    AttentionState state;
    attend(parameters, work, state);
    if (works.is_whole()) {
      write_result(parameters, work, state);
    } else {
      write_partials(parameters, work, state, range_row(parameters, share.range, is_second, work.first_head), 1);
    }
  }
}

}  // namespace kvarium
