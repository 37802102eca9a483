#include "kernels/checksums/cuda/zero_sums_parameters.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

extern "C" __global__ void zero_sums(const __grid_constant__ kvarium::ZeroSumsParameters parameters) {
  // First of all: the launch behind this one may take its time to start while these few words are written.
  kvarium::allow_dependents();
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index < parameters.num_sums) parameters.sums[index] = 0;
}
