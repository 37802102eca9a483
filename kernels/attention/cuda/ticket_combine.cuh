#pragma once

#include "kernels/attention/cuda/partial_results.cuh"
#include "kernels/attention/cuda/partition.cuh"

// Combine by ticket: no second kernel. Each thread block that wrote partial results of a (sequence, KV head) takes a
// ticket, and the one that takes the last merges the partitions of all its query heads, by log-sum-exp and in fixed
// order, so that the result does not depend on who is last. Works for any design of phase 1 whose thread blocks write
// one partition of one sequence and KV head.

namespace kvarium {

/// One query head's partitions merged by a warp. A lane keeps elements [4 * lane, 4 * lane + 4) and those 128 further.
class MergedHead {
 public:
  /// `maximum`: the largest of the partitions and the sink, which `sum` holds already.
  MergedHead(float maximum, float sum) : maximum_(maximum), sum_(sum) {}

  /// Adds `count` partitions from `row` on; weights are computed by all lanes, as many as there are lanes at a time.
  void add(const AttentionParameters& parameters, int64 row, int64 count) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const bool is_quads =
        parameters.tmp_out_in_query_type == 0 && reinterpret_cast<uint64>(parameters.tmp_out) % sizeof(float4) == 0;
    for (int64 begin = 0; begin < count; begin += warp_size) {
      const int here = static_cast<int>(smaller(count - begin, int64{warp_size}));
      float weight = 0.0F;
      if (lane < here) {
        const int64 partition = row + begin + lane;
        weight = parameters.exp_sums[partition] * expf(parameters.max_logits[partition] - maximum_);
      }
      if (is_quads) {
        add_rows<true>(parameters, row + begin, here, weight);
      } else {
        add_rows<false>(parameters, row + begin, here, weight);
      }
    }
  }

  /// Writes the head's output and LSE; zeros and -inf where nothing was added.
  void write(const AttentionParameters& parameters, int64 out_row) const {
    const float factor = sum_ > 0.0F || sum_ != sum_ ? 1.0F / sum_ : 0.0F;
#pragma unroll
    for (int i = 0; i < quads; ++i) {
      if (!has_quad(i)) continue;
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int64 index = out_row * variant::head_size + first_element(i) + e;
        store_element<variant::query_type>(parameters.out, index, elements_[i][e] * factor);
      }
    }
    if (threadIdx.x % warp_size == 0 && parameters.lse != nullptr) {
      parameters.lse[out_row] = sum_ == 0.0F ? -infinity : maximum_ + logf(sum_);
    }
  }

 private:
  static constexpr int quads = (variant::head_size + 4 * warp_size - 1) / (4 * warp_size);
  static_assert(variant::head_size % 4 == 0, "heads are read four elements at a time");

  static int first_element(int quad) { return 4 * (quad * warp_size + static_cast<int>(threadIdx.x) % warp_size); }
  static bool has_quad(int quad) {
    return variant::head_size % (4 * warp_size) == 0 || first_element(quad) < variant::head_size;
  }

  /// `weight`: lane i's is that of row + i.
  template <bool is_quads>
  void add_rows(const AttentionParameters& parameters, int64 row, int count, float weight) {
#pragma unroll 8
    for (int i = 0; i < count; ++i) {
      const float row_weight = __shfl_sync(whole_warp, weight, i);
      sum_ += row_weight;
#pragma unroll
      for (int quad = 0; quad < quads; ++quad) {
        if (has_quad(quad)) add_quad<is_quads>(parameters, row + i, quad, row_weight);
      }
    }
  }

  template <bool is_quads>
  void add_quad(const AttentionParameters& parameters, int64 row, int quad, float weight) {
    float elements[4];
    if constexpr (is_quads) {
      const auto* const rows = static_cast<const float*>(parameters.tmp_out);
      const float4 loaded = *reinterpret_cast<const float4*>(rows + row * variant::head_size + first_element(quad));
      elements[0] = loaded.x, elements[1] = loaded.y, elements[2] = loaded.z, elements[3] = loaded.w;
    } else {
#pragma unroll
      for (int e = 0; e < 4; ++e) elements[e] = partial_element(parameters, row, first_element(quad) + e);
    }
#pragma unroll
    for (int e = 0; e < 4; ++e) elements_[quad][e] += weight * elements[e];
  }

  float maximum_;
  float sum_;
  float elements_[quads][4] = {};
};

/// Merges `partitions`, at least one, of a query head. Called by a whole warp.
inline void merge_head(const AttentionParameters& parameters, int sequence, int head, TokenRange partitions) {
  const int64 row = partial_row(parameters, sequence, head, partitions.first);
  const int64 count = partitions.last - partitions.first;
  // The sink joins a sequence that has tokens.
  const float sink = parameters.sinks != nullptr ? parameters.sinks[head] : -infinity;
  const float maximum = largest_maximum(parameters.max_logits + row, count, sink);
  MergedHead merged(maximum, parameters.sinks != nullptr ? expf(sink - maximum) : 0.0F);
  merged.add(parameters, row, count);
  merged.write(parameters, int64{sequence} * parameters.num_heads + head);
}

/// Whether this thread block is the last of `count` to come here for (sequence, KV head); the same answer for all its
/// threads, each of which calls this after it wrote its partial results. The last one sees what the others wrote.
/// The ticket counts to `count` and is zero again.
inline bool takes_last_ticket(const AttentionParameters& parameters, int sequence, int kv_head, uint32 count) {
  __threadfence();
  __syncthreads();
  bool is_last = false;
  if (threadIdx.x == 0) {
    uint32* const ticket = parameters.tickets + int64{sequence} * parameters.num_kv_heads + kv_head;
    is_last = atomicInc(ticket, count - 1) == count - 1;
  }
  const bool answer = __syncthreads_or(is_last) != 0;
  // Without it a thread might read partial results that its multiprocessor cached before they were written.
  if (answer) __threadfence();
  return answer;
}

/// Called by all threads of a thread block after it wrote one partition of (sequence, KV head); warps take query heads
/// in turn. `blocks_per_partition`: thread blocks that share the query heads of one partition.
inline void combine_by_ticket(const AttentionParameters& parameters, int sequence, int kv_head,
                              int blocks_per_partition) {
  const TokenRange partitions = visible_partitions(parameters, sequence);
  const auto count = static_cast<uint32>((partitions.last - partitions.first) * blocks_per_partition);
  if (!takes_last_ticket(parameters, sequence, kv_head, count)) return;
  constexpr int heads = variant::query_heads_per_kv_head;
  for (int i = static_cast<int>(threadIdx.x) / warp_size; i < heads; i += static_cast<int>(blockDim.x) / warp_size) {
    merge_head(parameters, sequence, kv_head * heads + i, partitions);
  }
}

/// Writes the result of a sequence without tokens, for which nobody takes a ticket. Called by all threads of one thread
/// block of (sequence, KV head).
inline void write_empty_result(const AttentionParameters& parameters, int sequence, int kv_head) {
  constexpr int heads = variant::query_heads_per_kv_head;
  for (int i = static_cast<int>(threadIdx.x) / warp_size; i < heads; i += static_cast<int>(blockDim.x) / warp_size) {
    MergedHead(-infinity, 0.0F).write(parameters, int64{sequence} * parameters.num_heads + kv_head * heads + i);
  }
}

}  // namespace kvarium
