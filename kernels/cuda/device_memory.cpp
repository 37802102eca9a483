#include "kernels/cuda/device_memory.hpp"

#include "kernels/cuda/context.hpp"
#include "kernels/cuda/driver_library.hpp"

namespace kvarium {
namespace {

driver::DevicePointer address(const void* pointer) { return reinterpret_cast<driver::DevicePointer>(pointer); }

}  // namespace

DeviceBytes::DeviceBytes(std::size_t bytes) : size_(bytes) {
  ensure_context();
  if (bytes == 0) return;
  driver::DevicePointer pointer = 0;
  KVARIUM_DRIVER(memory_allocate, &pointer, bytes);
  data_ = reinterpret_cast<void*>(pointer);
}

DeviceBytes::~DeviceBytes() {
  // At the end of the process the driver may be gone already; nothing is left to free then.
  if (data_ != nullptr) driver_library().memory_free(address(data_));
}

DeviceBytes& DeviceBytes::operator=(DeviceBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void copy_to_device(void* device, const void* host, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  ensure_context();
  KVARIUM_DRIVER(copy_to_device, address(device), host, bytes, stream);
}

void copy_to_host(void* host, const void* device, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  ensure_context();
  KVARIUM_DRIVER(copy_to_host, host, address(device), bytes, stream);
}

void copy_on_device(void* destination, const void* source, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  ensure_context();
  KVARIUM_DRIVER(copy_on_device, address(destination), address(source), bytes, stream);
}

void fill_on_device(void* device, unsigned char value, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  ensure_context();
  KVARIUM_DRIVER(fill, address(device), value, bytes, stream);
}

}  // namespace kvarium
