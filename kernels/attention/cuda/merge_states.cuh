#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

// Merges two attention results over disjoint tokens; a thread block for each row.

namespace kvarium {

/// The two parts' shares of a row and the logarithm of their sum. An empty part (-inf) has no share, two empty ones
/// neither.
struct Shares {
  float left;
  float right;
  float lse;
};

inline Shares shares_of(float left, float right) {
  if (left == -infinity && right == -infinity) return {0.0F, 0.0F, -infinity};
  const float maximum = fmaxf(left, right);
  const float left_weight = left == -infinity ? 0.0F : expf(left - maximum);
  const float right_weight = right == -infinity ? 0.0F : expf(right - maximum);
  const float sum = left_weight + right_weight;
  return {left_weight / sum, right_weight / sum, maximum + logf(sum)};
}

/// A part without share counts for nothing whatever its bytes hold.
inline float part(const void* out, int64 index, float share) {
  return share == 0.0F ? 0.0F : share * load_element<variant::element_type>(out, index);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(128)
    merge_states(const void* left_out, const float* left_lse, const void* right_out, const float* right_lse,
                 void* merged_out, float* merged_lse) {
  using namespace kvarium;
  const int64 row = blockIdx.x;
  const Shares shares = shares_of(left_lse[row], right_lse[row]);
  // The result may be one of the inputs: every thread has read both logarithms before one is written.
  __syncthreads();
  for (int element = threadIdx.x; element < variant::head_size; element += 128) {
    const int64 index = row * variant::head_size + element;
    const float sum = part(left_out, index, shares.left) + part(right_out, index, shares.right);
    store_element<variant::element_type>(merged_out, index, sum);
  }
  if (threadIdx.x == 0) merged_lse[row] = shares.lse;
}
