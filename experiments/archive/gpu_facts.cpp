#include "experiments/archive/gpu_facts.hpp"

#include <fmt/format.h>

#include "kernels/cuda/context.hpp"
#include "kernels/cuda/device_sources.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/nvrtc_library.hpp"

namespace kvarium {
namespace {

std::string gpu_name() {
  ensure_context();
  driver::Device device = 0;
  KVARIUM_DRIVER(context_get_device, &device);
  char name[256] = {};
  KVARIUM_DRIVER(device_name, name, int{sizeof(name)} - 1, device);
  return name;
}

/// The driver writes a version as 1000 * major + 10 * minor.
std::string driver_version() {
  int version = 0;
  KVARIUM_DRIVER(driver_version, &version);
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string compiler() {
  const NvrtcLibrary* const library = find_nvrtc_library();
  return library == nullptr ? "not found" : library->identity();
}

}  // namespace

RunProvenance gpu_facts() {
  if (!missing_device_reason().empty()) return {};
  return {{"gpu", gpu_name()},
          {"gpu_architecture", current_device().architecture.name()},
          {"gpu_driver_cuda_version", driver_version()},
          {"gpu_compiler", compiler()},
          {"device_sources", device_sources_hash()}};
}

}  // namespace kvarium
