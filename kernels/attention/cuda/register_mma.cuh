#include "kernels/attention/cuda/register_mma_attend.cuh"
#include "kernels/attention/cuda/register_mma_partitions.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V4 in fixed partitions. Keys and values go from memory straight into the registers that the tensor cores multiply,
// without shared memory and without a barrier.

extern "C" __global__ void __launch_bounds__(32 * kvarium::variant::warps, kvarium::variant::blocks_per_multiprocessor)
    attend_partitions(const __grid_constant__ kvarium::AttentionParameters parameters) {
  if constexpr (kvarium::variant::launches_dependents) kvarium::allow_dependents();
  kvarium::attend_partition(parameters);
}
