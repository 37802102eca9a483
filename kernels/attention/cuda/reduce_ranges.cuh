#include "kernels/attention/cuda/group_ranges.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"
#include "kernels/cuda/device/element.cuh"
#include "variant.cuh"

// Phase 2 of the persistent schedule: merges the partial results of sequences that lie in more than one range, by
// log-sum-exp and in fixed order, and writes zeros for sequences without tokens.

namespace kvarium {

constexpr int num_warps = 16;
constexpr int num_quads = variant::head_size / 4;
constexpr int quads_per_lane = (num_quads + warp_size - 1) / warp_size;

/// Partial results whose reads are on their way together, for many parts and for few: fewer leave registers for more
/// warps.
constexpr int many_parts = larger(9 / quads_per_lane, 1);
constexpr int few_parts = larger(5 / quads_per_lane, 1);

/// The parts of one sequence: ranges [first, first + count), the first of them in its second part or not. Some may be
/// empty.
struct SequenceParts {
  GroupRanges ranges;
  int first;
  int count;
  bool begins_in_second;

  bool is_part(int index) const { return index < count && ranges.size(first + index) > 0; }
  int64 row(const AttentionParameters& parameters, int index, int head) const {
    return range_row(parameters, first + index, index == 0 && begins_in_second, head);
  }
};

inline SequenceParts parts_of(const AttentionParameters& parameters, int sequence, int num_ranges) {
  const GroupCounts counts = count_groups(parameters, sequence);
  const int begin = counts.before;
  const int end = begin + groups_of(parameters, sequence).count;
  SequenceParts parts{GroupRanges(counts.total, num_ranges), 0, 0, false};
  if (begin == end) return parts;
  parts.first = parts.ranges.holding(begin);
  parts.count = parts.ranges.holding(end - 1) - parts.first + 1;
  parts.begins_in_second = parts.ranges.begin(parts.first) < begin;
  return parts;
}

/// Merged partial results, weighted against `maximum`.
struct MergedState {
  float maximum = -infinity;
  float sum = 0.0F;
  float4 output[quads_per_lane] = {};

  /// `weight`: of the quads; `added_sum`: what they add to the sum.
  void add(float weight, float added_sum, const float4 (&quads)[quads_per_lane]) {
    sum += added_sum;
#pragma unroll
    for (int i = 0; i < quads_per_lane; ++i) {
      output[i].x += weight * quads[i].x;
      output[i].y += weight * quads[i].y;
      output[i].z += weight * quads[i].z;
      output[i].w += weight * quads[i].w;
    }
  }

  void raise(float next) {
    if (next == maximum) return;
    const float shrink = expf(maximum - next);
    maximum = next;
    sum *= shrink;
#pragma unroll
    for (float4& quad : output) quad = make_float4(quad.x * shrink, quad.y * shrink, quad.z * shrink, quad.w * shrink);
  }
};

/// Some partial results of one head as they are read.
template <int batch_size>
struct PartBatch {
  float maximum[batch_size];
  float sum[batch_size];
  float4 output[batch_size][quads_per_lane];

  void load(const AttentionParameters& parameters, const SequenceParts& parts, int head, int first, int distance) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll
    for (int i = 0; i < batch_size; ++i) {
      const int index = first + i * distance;
      maximum[i] = -infinity;
      sum[i] = 0.0F;
#pragma unroll
      for (float4& quad : output[i]) quad = {};
      if (!parts.is_part(index)) continue;
      const int64 row = parts.row(parameters, index, head);
      maximum[i] = parameters.max_logits[row];
      sum[i] = parameters.exp_sums[row];
      const auto* const quads = static_cast<const float4*>(parameters.tmp_out) + row * num_quads;
#pragma unroll
      for (int q = 0; q < quads_per_lane; ++q) {
        if (lane + warp_size * q < num_quads) output[i][q] = quads[lane + warp_size * q];
      }
    }
  }

  void merge_into(MergedState& state) const {
    float next = state.maximum;
#pragma unroll
    for (float value : maximum) next = fmaxf(next, value);
    state.raise(next);
#pragma unroll
    for (int i = 0; i < batch_size; ++i) {
      if (sum[i] == 0.0F) continue;
      const float weight = sum[i] * expf(maximum[i] - next);
      state.add(weight, weight, output[i]);
    }
  }
};

/// Merges the parts rank, rank + team, ... of a head.
template <int batch_size>
MergedState merge_parts(const AttentionParameters& parameters, const SequenceParts& parts, int head, int rank,
                        int team) {
  MergedState state;
  for (int first = rank; first < parts.count; first += team * batch_size) {
    PartBatch<batch_size> batch;
    batch.load(parameters, parts, head, first, team);
    batch.merge_into(state);
  }
  return state;
}

/// Merges the states of `team` neighbouring warps into that of the first. All threads of the thread block that have not
/// ended take part.
inline void merge_warps(MergedState& state, int rank, int team) {
  __shared__ float4 output[num_warps][quads_per_lane][warp_size];
  __shared__ float maximum[num_warps], sum[num_warps];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
#pragma unroll
  for (int i = 0; i < quads_per_lane; ++i) output[warp][i][lane] = state.output[i];
  if (lane == 0) {
    maximum[warp] = state.maximum;
    sum[warp] = state.sum;
  }
  __syncthreads();
  if (rank != 0) return;
  float next = state.maximum;
  for (int other = warp + 1; other < warp + team; ++other) next = fmaxf(next, maximum[other]);
  state.raise(next);
#pragma unroll 4
  for (int other = warp + 1; other < warp + team; ++other) {
    if (sum[other] == 0.0F) continue;
    float4 quads[quads_per_lane];
#pragma unroll
    for (int i = 0; i < quads_per_lane; ++i) quads[i] = output[other][i][lane];
    const float weight = expf(maximum[other] - next);
    state.add(weight, weight * sum[other], quads);
  }
}

/// Writes output and LSE of a row. A sink joins a sequence that has tokens.
inline void write_row(const AttentionParameters& parameters, MergedState& state, int64 row, int head) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const bool has_tokens = state.maximum != -infinity || state.sum != 0.0F;
  const float sink = parameters.sinks != nullptr && has_tokens ? parameters.sinks[head] : -infinity;
  if (sink != -infinity) {
    state.raise(fmaxf(state.maximum, sink));
    state.sum += expf(sink - state.maximum);
  }
  const float factor = has_tokens ? 1.0F / state.sum : 0.0F;
#pragma unroll
  for (int i = 0; i < quads_per_lane; ++i) {
    const int quad = lane + warp_size * i;
    if (quad >= num_quads) continue;
    const float elements[4] = {state.output[i].x, state.output[i].y, state.output[i].z, state.output[i].w};
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int64 index = row * variant::head_size + 4 * quad + e;
      store_element<variant::query_type>(parameters.out, index, elements[e] * factor);
    }
  }
  if (lane == 0 && parameters.lse != nullptr) {
    parameters.lse[row] = has_tokens ? state.maximum + logf(state.sum) : -infinity;
  }
}

/// `warps_per_row`: neighbouring warps that share a row's parts, a power of two up to all of a thread block.
template <int batch_size>
void reduce_rows(const AttentionParameters& parameters, int num_ranges, int warps_per_row) {
  const int64 unit = int64{blockIdx.x} * num_warps + threadIdx.x / warp_size;
  const int64 row = unit / warps_per_row;
  const int rank = static_cast<int>(unit % warps_per_row);
  if (row >= int64{parameters.num_sequences} * parameters.num_heads) return;
  const int head = static_cast<int>(row % parameters.num_heads);
  const SequenceParts parts = parts_of(parameters, static_cast<int>(row / parameters.num_heads), num_ranges);
  if constexpr (variant::launches_dependents) wait_for_predecessors();
  // The warp that attended all of a sequence has written its result.
  if (parts.count == 1) return;
  MergedState state = merge_parts<batch_size>(parameters, parts, head, rank, warps_per_row);
  if (warps_per_row > 1) merge_warps(state, rank, warps_per_row);
  if (rank == 0) write_row(parameters, state, row, head);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(32 * kvarium::num_warps)
    reduce_ranges(const __grid_constant__ kvarium::AttentionParameters parameters, int num_ranges, int warps_per_row) {
  kvarium::reduce_rows<kvarium::many_parts>(parameters, num_ranges, warps_per_row);
}

extern "C" __global__ void __launch_bounds__(32 * kvarium::num_warps)
    reduce_few_ranges(const __grid_constant__ kvarium::AttentionParameters parameters, int num_ranges) {
  kvarium::reduce_rows<kvarium::few_parts>(parameters, num_ranges, 1);
}
