#pragma once

#include "kernels/attention/cuda/partition.cuh"
#include "kernels/attention/cuda/register_mma_result.cuh"

// Fixed partitions: one warp for each (KV head, sequence, partition).

namespace kvarium {

/// The part of a launch that is this warp's. Warps of one KV head follow one another, then KV heads, so that warps that
/// run side by side read neighbouring memory.
struct WarpTask {
  WarpWork work;
  int64 partition;

  bool is_empty(const AttentionParameters& parameters) const {
    return partition >= parameters.max_num_partitions || work.first_token >= work.end_token;
  }
};

/// `warp`: number in its thread block.
inline WarpTask warp_task(const AttentionParameters& parameters, int warp) {
  int64 unit = int64{blockIdx.x} * variant::warps + warp;
  const int first_in_group = static_cast<int>(unit % warps_per_kv_head) * head_tiles * tile_heads;
  unit /= warps_per_kv_head;
  WarpTask task;
  task.work.kv_head = static_cast<int>(unit % parameters.num_kv_heads);
  unit /= parameters.num_kv_heads;
  task.work.sequence = static_cast<int>(unit % parameters.num_sequences);
  task.partition = unit / parameters.num_sequences;
  task.work.first_head = task.work.kv_head * variant::query_heads_per_kv_head + first_in_group;
  task.work.num_heads = smaller(variant::query_heads_per_kv_head - first_in_group, head_tiles * tile_heads);
  const TokenRange tokens = partition_tokens(parameters, task.work.sequence, task.partition);
  task.work.first_token = static_cast<int>(tokens.first);
  task.work.end_token = static_cast<int>(larger(tokens.last, tokens.first));
  return task;
}

inline void attend_partition(const AttentionParameters& parameters) {
  const WarpTask task = warp_task(parameters, static_cast<int>(threadIdx.x) / warp_size);
  if (task.is_empty(parameters)) return;
  AttentionState state;
  attend(parameters, task.work, state);
  const int64 row = partial_row(parameters, task.work.sequence, task.work.first_head, task.partition);
  write_partials(parameters, task.work, state, row, parameters.max_num_partitions);
}

}  // namespace kvarium
