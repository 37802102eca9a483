#include "experiments/config/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "kernels/cuda/context.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/nvrtc_library.hpp"

namespace kvarium {

namespace {

bool has_cuda_families() {
  const auto& names = attention_families().names();
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return attention_families().at(name).traits().device == Device::cuda;
  });
}

/// Why the GPU cannot be used, or "".
std::string cuda_problem() {
  if (!has_cuda_families()) return "this build has no CUDA families";
  if (!missing_device_reason().empty()) return missing_device_reason();
  if (find_nvrtc_library() == nullptr) return "NVRTC was not found; install a CUDA toolkit or nvidia-cuda-nvrtc";
  return "";
}

DeviceStatus cuda_status() {
  const std::string problem = cuda_problem();
  if (!problem.empty()) return {Device::cuda, "NVIDIA GPU", false, problem};
  const DeviceProfile device = current_device();
  return {Device::cuda,
          fmt::format("{}, {}, {} multiprocessors, kernels compiled by NVRTC {}.{}", device.name,
                      device.architecture.name(), device.multiprocessors, nvrtc_library().major, nvrtc_library().minor),
          true, ""};
}

}  // namespace

std::vector<DeviceStatus> device_statuses() {
  return {
      {Device::cpu, fmt::format("{} hardware threads through Kokkos", std::thread::hardware_concurrency()), true, ""},
      cuda_status(),
  };
}

void require_device(Device device) {
  for (const DeviceStatus& status : device_statuses()) {
    if (status.device != device || status.is_configured) continue;
    throw NotConfigured(
        fmt::format("device {} is not configured ({}); use device cpu", to_string(device), status.reason));
  }
}

}  // namespace kvarium
