#include "kernels/attention/cuda/register_mma_partitions.cuh"
#include "kernels/attention/cuda/staged_mma_attend.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V2 in fixed partitions. Each warp keeps a ring of steps in shared memory, filled by asynchronous copies; the operands
// are those of register_mma, read from the ring just before they are multiplied. Without a barrier.

extern "C" __global__ void __launch_bounds__(32 * kvarium::variant::warps, kvarium::variant::blocks_per_multiprocessor)
    attend_partitions(const __grid_constant__ kvarium::AttentionParameters parameters) {
  if constexpr (kvarium::variant::launches_dependents) kvarium::allow_dependents();
  kvarium::attend_partition(parameters);
}
