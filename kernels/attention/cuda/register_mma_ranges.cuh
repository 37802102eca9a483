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

inline WarpShare warp_share(const AttentionParameters& parameters) {
  const int unit = static_cast<int>(blockIdx.x) * variant::warps + static_cast<int>(threadIdx.x) / warp_size;
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

/// Attends `num_groups` groups of the batch from `position` on, sequence by sequence.
__forceinline__ void attend_range(const AttentionParameters& parameters, GroupPosition position, int64 num_groups) {
  bool is_second = false;
  for (; num_groups > 0; position = {position.sequence + 1, 0}) {
    const int whole = groups_of(parameters, position.sequence).count;
    const int count = static_cast<int>(smaller(int64{whole} - position.group, num_groups));
    num_groups -= count;
    if (count == 0) continue;
    const WarpShare share = warp_share(parameters);
    const WarpWork work = work_of(parameters, share, position, count);
    AttentionState state;
    attend(parameters, work, state);
    if (count == whole) {
      write_result(parameters, work, state);
    } else {
      write_partials(parameters, work, state, range_row(parameters, share.range, is_second, work.first_head), 1);
    }
    is_second = true;
  }
}

/// Attends the warp's range of the batch's groups.
inline void attend_share(const AttentionParameters& parameters, int num_ranges) {
  const WarpShare share = warp_share(parameters);
  if (share.range >= num_ranges) return;
  const BatchGroups groups(parameters);
  const GroupRanges ranges{groups.total(), num_ranges};
  const int64 first = ranges.begin(share.range);
  const int64 count = ranges.end(share.range) - first;
  if (count > 0) attend_range(parameters, groups.locate(parameters, first), count);
}

}  // namespace kvarium
