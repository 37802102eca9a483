#include "kernels/cuda/context.hpp"

#include <map>
#include <mutex>

#include "kernels/cuda/driver_library.hpp"

namespace kvarium {
namespace {

void* primary_context() {
  static void* const context = [] {
    driver::Device device = 0;
    KVARIUM_DRIVER(device_get, &device, 0);
    driver::Context primary = nullptr;
    KVARIUM_DRIVER(primary_context_retain, &primary, device);
    return primary;
  }();
  return context;
}

int attribute(driver::DeviceAttribute which, driver::Device device) {
  int value = 0;
  KVARIUM_DRIVER(device_attribute, &value, which, device);
  return value;
}

DeviceProfile describe(driver::Device device) {
  char name[256] = "";
  KVARIUM_DRIVER(device_name, name, sizeof(name), device);
  DeviceProfile profile;
  profile.name = name;
  profile.architecture = native_architecture(attribute(driver::compute_capability_major, device),
                                             attribute(driver::compute_capability_minor, device));
  profile.multiprocessors = attribute(driver::multiprocessor_count, device);
  profile.shared_memory_per_block = attribute(driver::max_shared_memory_per_block_optin, device);
  profile.shared_memory_per_multiprocessor = attribute(driver::max_shared_memory_per_multiprocessor, device);
  profile.registers_per_multiprocessor = attribute(driver::max_registers_per_multiprocessor, device);
  profile.threads_per_multiprocessor = attribute(driver::max_threads_per_multiprocessor, device);
  return profile;
}

}  // namespace

void* ensure_context() {
  driver::Context context = nullptr;
  KVARIUM_DRIVER(context_get_current, &context);
  if (context != nullptr) return context;
  context = primary_context();
  KVARIUM_DRIVER(context_set_current, context);
  return context;
}

const DeviceProfile& current_device() {
  static std::mutex mutex;
  static std::map<driver::Device, DeviceProfile> profiles;
  ensure_context();
  driver::Device device = 0;
  KVARIUM_DRIVER(context_get_device, &device);
  const std::lock_guard lock(mutex);
  const auto known = profiles.find(device);
  return known != profiles.end() ? known->second : profiles.emplace(device, describe(device)).first->second;
}

}  // namespace kvarium
