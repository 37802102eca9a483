#include "kernels/attention/cuda/group_ranges.cuh"
#include "kernels/attention/cuda/register_mma_result.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V4 with a persistent schedule: as many warps as run at once, each with an equal share of all groups of its KV head.

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

/// Asks for what the next sequence begins with: its first block ids and its queries.
inline void prefetch_start(const AttentionParameters& parameters, int sequence, const WarpWork& work) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  constexpr int line_elements = 64;
  const auto* const query = static_cast<const uint16*>(parameters.query) + sequence * parameters.query_stride +
                            int64{work.first_head} * variant::head_size;
  const int index = lane * line_elements;
  if (index < work.num_heads * variant::head_size) asm volatile("prefetch.global.L2 [%0];" ::"l"(query + index));
  if (lane == 0) {
    const int* const row = parameters.block_tables + sequence * parameters.max_num_blocks_per_sequence;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(row));
  }
}

/// Attends `num_groups` groups of the batch from `position` on, sequence by sequence.
__forceinline__ void attend_range(const AttentionParameters& parameters, GroupPosition position, int num_groups) {
  bool is_second = false;
  for (; num_groups > 0; position = {position.sequence + 1, 0}) {
    const int whole = groups_of(parameters, position.sequence).count;
    const int count = smaller(whole - position.group, num_groups);
    num_groups -= count;
    if (count == 0) continue;
    const WarpShare share = warp_share(parameters);
    const WarpWork work = work_of(parameters, share, position, count);
    if (num_groups > 0) prefetch_start(parameters, position.sequence + 1, work);
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

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(32 * kvarium::variant::warps, kvarium::variant::blocks_per_multiprocessor)
    attend_ranges(const __grid_constant__ kvarium::AttentionParameters parameters, int num_ranges) {
  using namespace kvarium;
  if constexpr (variant::launches_dependents) allow_dependents();
  const WarpShare share = warp_share(parameters);
  if (share.range >= num_ranges) return;
  const BatchGroups groups(parameters);
  const GroupRanges ranges(groups.total(), num_ranges);
  const int count = ranges.size(share.range);
  if (count > 0) attend_range(parameters, groups.locate(parameters, ranges.begin(share.range)), count);
}
