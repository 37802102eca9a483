#include "kernels/attention/cuda/logit_transform.cuh"
#include "kernels/attention/cuda/paged_tensor.cuh"
#include "kernels/attention/cuda/partition.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// V0: phase 1 of paged_attention_v2 as vLLM published it, one thread block for each (query head, sequence, partition),
// every query head reading its KV head for itself. Plain on purpose: faster designs are compared with it.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int num_warps = num_threads / warp_size;
constexpr int elements_per_lane = (variant::head_size + warp_size - 1) / warp_size;
constexpr int elements_per_thread = (variant::head_size + num_threads - 1) / num_threads;

/// One thread block's part of the work.
struct Task {
  int sequence;
  int head;
  int kv_head;
  int64 partition;
  TokenRange tokens;
};

/// Heads vary fastest, then sequences, on the one axis of the grid that may be long; partitions lie on the others.
inline Task task_of(const AttentionParameters& parameters) {
  Task task;
  task.sequence = static_cast<int>(blockIdx.x) / parameters.num_heads;
  task.head = static_cast<int>(blockIdx.x) % parameters.num_heads;
  task.kv_head = task.head / variant::query_heads_per_kv_head;
  task.partition = int64{blockIdx.z} * gridDim.y + blockIdx.y;
  task.tokens = partition_tokens(parameters, task.sequence, task.partition);
  return task;
}

/// Running softmax of the partition; the same values in every thread.
struct RunningSoftmax {
  float maximum = -infinity;
  float sum = 0.0F;
};

/// Query-key product of one token, the same bits in every lane.
inline float product_of(const AttentionParameters& parameters, const Task& task,
                        const float (&query)[elements_per_lane], int64 token) {
  const int lane = threadIdx.x % warp_size;
  const int64 block = block_of(parameters, task.sequence, token);
  float sum = 0.0F;
  for (int i = 0; i < elements_per_lane; ++i) {
    const int element = i * warp_size + lane;
    if (element >= variant::head_size) break;
    const int64 offset = element_offset<key_group_size>(parameters.key_strides, block, task.kv_head,
                                                        token % variant::block_size, element);
    sum += query[i] * load_element<variant::cache_type>(parameters.key, offset);
  }
  return warp_sum(sum);
}

/// Logits of the tokens of one inner step; warps take tokens in turn.
inline void compute_logits(const AttentionParameters& parameters, const Task& task, const LogitTransform& transform,
                           const float (&query)[elements_per_lane], TokenRange step, float* logits) {
  for (int64 token = step.first + threadIdx.x / warp_size; token < step.last; token += num_warps) {
    const float logit = transform(product_of(parameters, task, query, token), token);
    if (threadIdx.x % warp_size == 0) logits[token - step.first] = logit;
  }
}

/// Turns logits into weights exp(logit - maximum) and adds them to the softmax. Returns the factor that earlier weights
/// shrink by. Every warp computes the sums for itself in the same order.
inline float weigh(float* logits, int count, RunningSoftmax& softmax) {
  float maximum = softmax.maximum;
  for (int i = threadIdx.x % warp_size; i < count; i += warp_size) maximum = fmaxf(maximum, logits[i]);
  maximum = warp_maximum(maximum);
  float sum = 0.0F;
  for (int i = threadIdx.x % warp_size; i < count; i += warp_size) sum += expf(logits[i] - maximum);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += num_threads) logits[i] = expf(logits[i] - maximum);
  const float shrink = expf(softmax.maximum - maximum);
  softmax = {maximum, softmax.sum * shrink + warp_sum(sum)};
  return shrink;
}

/// Adds the weighted values of one inner step; each thread owns some elements of the head.
inline void add_values(const AttentionParameters& parameters, const Task& task, const float* weights, TokenRange step,
                       float (&sums)[elements_per_thread]) {
  for (int64 token = step.first; token < step.last; ++token) {
    const float weight = weights[token - step.first];
    const int64 block = block_of(parameters, task.sequence, token);
    for (int i = 0; i < elements_per_thread; ++i) {
      const int element = i * num_threads + threadIdx.x;
      if (element >= variant::head_size) break;
      const int64 offset = element_offset<value_group_size>(parameters.value_strides, block, task.kv_head,
                                                            token % variant::block_size, element);
      sums[i] += weight * load_element<variant::cache_type>(parameters.value, offset);
    }
  }
}

/// Writes the normalised output of the partition with its maximum and sum.
inline void write_partial(const AttentionParameters& parameters, const Task& task, const RunningSoftmax& softmax,
                          const float (&sums)[elements_per_thread]) {
  const int64 row = partial_row(parameters, task.sequence, task.head, task.partition);
  const float factor = parameters.v_scale / softmax.sum;
  for (int i = 0; i < elements_per_thread; ++i) {
    const int element = i * num_threads + threadIdx.x;
    if (element >= variant::head_size) break;
    const float value = sums[i] * factor;
    const int64 index = row * variant::head_size + element;
    if (parameters.tmp_out_in_query_type) {
      store_element<variant::query_type>(parameters.tmp_out, index, value);
    } else {
      static_cast<float*>(parameters.tmp_out)[index] = value;
    }
  }
  if (threadIdx.x == 0) {
    parameters.max_logits[row] = softmax.maximum;
    parameters.exp_sums[row] = softmax.sum;
  }
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    attend_partitions(const __grid_constant__ kvarium::AttentionParameters parameters) {
  using namespace kvarium;
  __shared__ float logits[variant::block_n];
  if constexpr (variant::launches_dependents) allow_dependents();
  const Task task = task_of(parameters);
  if (task.tokens.is_empty()) return;
  const LogitTransform transform = logit_transform(parameters, task.sequence, task.head);
  float query[elements_per_lane];
  for (int i = 0; i < elements_per_lane; ++i) {
    const int element = i * warp_size + threadIdx.x % warp_size;
    const int64 index = task.sequence * parameters.query_stride + int64{task.head} * variant::head_size + element;
    query[i] = element < variant::head_size ? load_element<variant::query_type>(parameters.query, index) : 0.0F;
  }
  RunningSoftmax softmax;
  float sums[elements_per_thread] = {};
  for (int64 first = task.tokens.first; first < task.tokens.last; first += variant::block_n) {
    const TokenRange step{first, smaller(first + variant::block_n, task.tokens.last)};
    compute_logits(parameters, task, transform, query, step, logits);
    __syncthreads();
    const float shrink = weigh(logits, static_cast<int>(step.last - step.first), softmax);
    for (float& sum : sums) sum *= shrink;
    __syncthreads();
    add_values(parameters, task, logits, step, sums);
    __syncthreads();
  }
  write_partial(parameters, task, softmax, sums);
}
