#include "kernels/attention/cuda/gqa_packed_result.cuh"
#include "kernels/attention/cuda/ticket_combine.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V1: CUDA cores, a thread block for each (KV head, sequence, partition). Every key and value comes from memory once
// for all query heads that share it, asynchronously and through shared memory; warps take steps of the partition in
// turn, each with a softmax of its own, and are merged at the end.

namespace kvarium {

constexpr int alignment = 16;
constexpr int attend_bytes =
    (larger(variant::warps * warp_bytes, static_cast<int>(sizeof(WarpResults))) + alignment - 1) / alignment *
    alignment;
static_assert(attend_bytes + SliceVerifier::bytes == variant::shared_bytes, "the launch gives as much as is used");

/// The part of a launch that is this thread block's. Thread blocks of one KV head follow one another, then KV heads, so
/// that those that run side by side read neighbouring memory.
inline BlockWork block_work(const AttentionParameters& parameters) {
  int unit = static_cast<int>(blockIdx.x);
  const int first_in_group = unit % blocks_per_kv_head * heads_per_block;
  unit /= blocks_per_kv_head;
  BlockWork work;
  work.kv_head = unit % parameters.num_kv_heads;
  unit /= parameters.num_kv_heads;
  work.sequence = unit % parameters.num_sequences;
  work.partition = unit / parameters.num_sequences;
  work.first_head = work.kv_head * variant::query_heads_per_kv_head + first_in_group;
  work.num_heads = smaller(variant::query_heads_per_kv_head - first_in_group, heads_per_block);
  const TokenRange tokens = partition_tokens(parameters, work.sequence, work.partition);
  work.base_token = static_cast<int>(work.partition * variant::partition_size);
  work.first_token = static_cast<int>(tokens.first);
  work.end_token = static_cast<int>(larger(tokens.last, tokens.first));
  return work;
}

/// The one thread block of a (sequence, KV head) that answers for a sequence without tokens.
inline bool answers_for_empty(const AttentionParameters& parameters, const BlockWork& work) {
  return variant::combines_by_ticket && work.partition == 0 && parameters.seq_lens[work.sequence] == 0 &&
         work.first_head == work.kv_head * variant::query_heads_per_kv_head;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(32 * kvarium::variant::warps)
    attend_partitions(const __grid_constant__ kvarium::AttentionParameters parameters) {
  using namespace kvarium;
  extern __shared__ float4 shared_memory[];
  if constexpr (variant::launches_dependents) allow_dependents();
  const BlockWork work = block_work(parameters);
  if (answers_for_empty(parameters, work)) write_empty_result(parameters, work.sequence, work.kv_head);
  if (work.first_token >= work.end_token) return;
  char* const memory = reinterpret_cast<char*>(shared_memory);
  SliceVerifier verifier(parameters, work, memory + attend_bytes);
  AttentionState state;
  state.softmax.clear();
  state.output.clear();
  attend(parameters, work, memory + this_warp() * warp_bytes, verifier, state);
  __syncthreads();
  auto& results = *reinterpret_cast<WarpResults*>(memory);
  results.put(state);
  if constexpr (variant::verifies) verifier.judge(parameters, work);
  __syncthreads();
  write_partials(parameters, work, results);
  if constexpr (variant::combines_by_ticket) {
    combine_by_ticket(parameters, work.sequence, work.kv_head, blocks_per_kv_head);
  }
}
