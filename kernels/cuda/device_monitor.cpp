#include "kernels/cuda/device_monitor.hpp"

#include "kernels/cuda/context.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/dynamic_library.hpp"

namespace kvarium {
namespace {

/// The functions of NVML that are used; a result of 0 is success.
struct MonitorLibrary {
  std::optional<DynamicLibrary> library = DynamicLibrary::open("libnvidia-ml.so.1");
  int (*init)() = nullptr;
  int (*device_by_bus)(const char* bus, void** device) = nullptr;
  int (*clock)(void* device, int kind, unsigned int* megahertz) = nullptr;
  int (*total_energy)(void* device, unsigned long long* millijoules) = nullptr;
  bool is_usable = false;

  MonitorLibrary() {
    is_usable = library && library->find("nvmlInit_v2", init) &&
                library->find("nvmlDeviceGetHandleByPciBusId_v2", device_by_bus) &&
                library->find("nvmlDeviceGetClockInfo", clock) &&
                library->find("nvmlDeviceGetTotalEnergyConsumption", total_energy) && init() == 0;
  }
};

const MonitorLibrary& monitor_library() {
  static const MonitorLibrary library;
  return library;
}

constexpr int multiprocessor_clock_kind = 1;

}  // namespace

DeviceMonitor::DeviceMonitor() {
  ensure_context();
  driver::Device device = 0;
  KVARIUM_DRIVER(context_get_device, &device);
  char bus[32] = {};
  KVARIUM_DRIVER(device_bus, bus, int{sizeof(bus)}, device);
  const MonitorLibrary& library = monitor_library();
  if (library.is_usable && library.device_by_bus(bus, &device_) != 0) device_ = nullptr;
}

std::optional<double> DeviceMonitor::multiprocessor_clock() const {
  unsigned int megahertz = 0;
  if (device_ == nullptr || monitor_library().clock(device_, multiprocessor_clock_kind, &megahertz) != 0) {
    return std::nullopt;
  }
  return 1e6 * megahertz;
}

std::optional<double> DeviceMonitor::energy() const {
  unsigned long long millijoules = 0;
  if (device_ == nullptr || monitor_library().total_energy(device_, &millijoules) != 0) return std::nullopt;
  return 1e-3 * static_cast<double>(millijoules);
}

}  // namespace kvarium
