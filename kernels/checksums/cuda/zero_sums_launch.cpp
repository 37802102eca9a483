#include "kernels/checksums/cuda/zero_sums_launch.hpp"

#include "kernels/checksums/cuda/zero_sums_parameters.cuh"
#include "kernels/cuda/architecture.hpp"
#include "kernels/cuda/context.hpp"
#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

bool has_dependent_launch() {
  return current_device().architecture.is_at_least({9, 0, false}) && driver_library().launch_extended != nullptr;
}

}  // namespace

KernelSource zero_sums_source() { return {"kernels/checksums/cuda/zero_sums.cuh", {"zero_sums"}, {}}; }

bool zero_sums(std::uint64_t* sums, std::int64_t num_sums, void* stream) {
  ensure_context();
  if (!has_dependent_launch()) {
    fill_on_device(sums, 0, static_cast<std::size_t>(num_sums) * sizeof(std::uint64_t), stream);
    return false;
  }
  static KernelTable<int, DeviceKernel> table;
  const DeviceKernel kernel = table.get(0, [] { return load_kernel(zero_sums_source(), "zero_sums"); });
  const ZeroSumsParameters parameters{reinterpret_cast<unsigned long long*>(sums), num_sums};
  kernel.launch(shape_for_warps((num_sums + 31) / 32, warps_per_block), stream, parameters);
  return true;
}

}  // namespace kvarium
