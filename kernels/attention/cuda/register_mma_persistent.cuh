#include "kernels/attention/cuda/register_mma_attend.cuh"
#include "kernels/attention/cuda/register_mma_ranges.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V4 with a persistent schedule.

extern "C" __global__ void __launch_bounds__(32 * kvarium::variant::warps, kvarium::variant::blocks_per_multiprocessor)
    attend_ranges(const __grid_constant__ kvarium::AttentionParameters parameters, int num_ranges) {
  if constexpr (kvarium::variant::launches_dependents) kvarium::allow_dependents();
  kvarium::attend_share(parameters, num_ranges);
}
