#include "kernels/cuda/device_scope.hpp"

#include <map>
#include <mutex>

#include "core/check.hpp"
#include "kernels/cuda/driver_library.hpp"

namespace kvarium {
namespace {

/// Kept for the life of the process, as whoever uses the device beside us keeps it.
void* primary_context_of(int device) {
  static std::mutex mutex;
  static std::map<int, driver::Context> contexts;
  const std::lock_guard lock(mutex);
  driver::Context& context = contexts[device];
  if (context == nullptr) {
    driver::Device handle = 0;
    KVARIUM_DRIVER(device_get, &handle, device);
    KVARIUM_DRIVER(primary_context_retain, &context, handle);
  }
  return context;
}

void validate_device(int device) {
  int count = 0;
  KVARIUM_DRIVER(device_count, &count);
  KVARIUM_VALIDATE(device >= 0 && device < count, "there is no CUDA device ", device, "; use 0 to ", count - 1);
}

/// Whether `device` is current in the context that is.
bool is_current(void* context, int device) {
  if (context == nullptr) return false;
  driver::Device current = 0;
  driver::Device wanted = 0;
  KVARIUM_DRIVER(context_get_device, &current);
  KVARIUM_DRIVER(device_get, &wanted, device);
  return current == wanted;
}

}  // namespace

DeviceScope::DeviceScope(int device) {
  validate_device(device);
  KVARIUM_DRIVER(context_get_current, &before_);
  if (is_current(before_, device)) return;
  KVARIUM_DRIVER(context_set_current, primary_context_of(device));
  is_switched_ = true;
}

DeviceScope::~DeviceScope() {
  // The context was current a moment ago; that it cannot become so again is for its owner to see.
  if (is_switched_) driver_library().context_set_current(before_);
}

RelaxedCapture::RelaxedCapture() : before_(driver::relaxed_capture) {
  // Swaps the mode given with the thread's.
  KVARIUM_DRIVER(exchange_capture_mode, &before_);
}

RelaxedCapture::~RelaxedCapture() { driver_library().exchange_capture_mode(&before_); }

namespace {

/// A number that the driver keeps of an address, or nothing where it knows none.
std::optional<int> attribute_of(const void* address, int attribute) {
  int value = 0;
  const auto pointer = reinterpret_cast<driver::DevicePointer>(address);
  if (driver_library().pointer_attribute(&value, attribute, pointer) != 0) return std::nullopt;
  return value;
}

/// Memory of the host that the driver pinned, and so knows.
bool is_pinned_host_memory(const void* address) {
  return attribute_of(address, driver::pointer_attribute_memory_type) == driver::memory_type_host &&
         attribute_of(address, driver::pointer_attribute_is_managed).value_or(0) == 0;
}

}  // namespace

std::optional<int> device_of_address(const void* address) {
  if (is_pinned_host_memory(address)) return std::nullopt;
  return attribute_of(address, driver::pointer_attribute_device_ordinal);
}

}  // namespace kvarium
