#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/attention/cuda/partial_results.cuh"
#include "kernels/attention/cuda/partition.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"
#include "kernels/cuda/device/element.cuh"
#include "variant.cuh"

// Phase 2 of every family: merges the partitions of one (sequence, query head) by log-sum-exp, in fixed order, however
// many there are.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int elements_per_thread = (variant::head_size + num_threads - 1) / num_threads;

/// The merged state of a row, as far as one thread keeps it.
struct MergedRow {
  float sum = 0.0F;
  float elements[elements_per_thread] = {};

  void add(const AttentionParameters& parameters, int64 row, float weight) {
    sum += weight;
    for (int i = 0; i < elements_per_thread; ++i) {
      const int element = i * num_threads + threadIdx.x;
      if (element < variant::head_size) elements[i] += weight * partial_element(parameters, row, element);
    }
  }
};

/// Adds `count` partitions from `row` on. Weights are computed by all threads, as many as there are threads at a time.
inline void merge(const AttentionParameters& parameters, int64 row, int64 count, float maximum, MergedRow& merged) {
  __shared__ float weights[num_threads];
  for (int64 begin = 0; begin < count; begin += num_threads) {
    const int here = static_cast<int>(smaller(count - begin, int64{num_threads}));
    if (threadIdx.x < here) {
      const int64 partition = row + begin + threadIdx.x;
      weights[threadIdx.x] = parameters.exp_sums[partition] * expf(parameters.max_logits[partition] - maximum);
    }
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < here; ++i) merged.add(parameters, row + begin + i, weights[i]);
    __syncthreads();
  }
}

inline void write_row(const AttentionParameters& parameters, const MergedRow& merged, float maximum) {
  const int64 row = blockIdx.x;
  const float factor = merged.sum > 0.0F || merged.sum != merged.sum ? 1.0F / merged.sum : 0.0F;
  for (int i = 0; i < elements_per_thread; ++i) {
    const int element = i * num_threads + threadIdx.x;
    if (element >= variant::head_size) break;
    store_element<variant::query_type>(parameters.out, row * variant::head_size + element, merged.elements[i] * factor);
  }
  if (threadIdx.x == 0 && parameters.lse != nullptr) {
    parameters.lse[row] = merged.sum == 0.0F ? -infinity : maximum + logf(merged.sum);
  }
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    reduce_partitions(const __grid_constant__ kvarium::AttentionParameters parameters) {
  using namespace kvarium;
  if constexpr (variant::launches_dependents) wait_for_predecessors();
  const int sequence = static_cast<int>(blockIdx.x) / parameters.num_heads;
  const int head = static_cast<int>(blockIdx.x) % parameters.num_heads;
  const TokenRange partitions = visible_partitions(parameters, sequence);
  MergedRow merged;
  float maximum = -infinity;
  if (!partitions.is_empty()) {
    const int64 row = partial_row(parameters, sequence, head, partitions.first);
    const int64 count = partitions.last - partitions.first;
    // The sink joins a sequence that has tokens.
    const float sink = parameters.sinks != nullptr ? parameters.sinks[head] : -infinity;
    maximum = largest_maximum(parameters.max_logits + row, count, sink);
    if (parameters.sinks != nullptr) merged.sum = expf(sink - maximum);
    merge(parameters, row, count, maximum, merged);
  }
  write_row(parameters, merged, maximum);
}
