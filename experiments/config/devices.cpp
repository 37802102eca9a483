#include "experiments/config/devices.hpp"

#include <fmt/format.h>

#include <thread>

namespace kvarium {

std::vector<DeviceStatus> device_statuses() {
  return {
      {Device::cpu, fmt::format("{} hardware threads through Kokkos", std::thread::hardware_concurrency()), true, ""},
      {Device::cuda, "NVIDIA GPU", false, "this build has no CUDA families"},
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
