#pragma once

#include <cstddef>
#include <utility>

namespace kvarium {

/// Bytes of device memory in the current context, freed with the object. Not initialised.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  /// Errors: NotConfigured without a device, DriverError when memory is short.
  explicit DeviceBytes(std::size_t bytes);
  ~DeviceBytes();
  DeviceBytes(DeviceBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBytes& operator=(DeviceBytes&& other) noexcept;
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* data() const { return data_; }
  std::size_t size_bytes() const { return size_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Copies in stream order. Pageable host memory may be read before and written after the call returns only as the
/// driver documents it; synchronise the stream before the host reads. Errors: DriverError.
void copy_to_device(void* device, const void* host, std::size_t bytes, void* stream = nullptr);
void copy_to_host(void* host, const void* device, std::size_t bytes, void* stream = nullptr);
void copy_on_device(void* destination, const void* source, std::size_t bytes, void* stream = nullptr);
/// Sets every byte. Errors: DriverError.
void fill_on_device(void* device, unsigned char value, std::size_t bytes, void* stream = nullptr);

/// `count` elements of device memory.
template <class Element>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count) : bytes_(count * sizeof(Element)) {}
  /// Allocates and copies from the host in stream order.
  DeviceBuffer(const Element* host, std::size_t count, void* stream = nullptr) : DeviceBuffer(count) {
    copy_to_device(bytes_.data(), host, bytes_.size_bytes(), stream);
  }

  Element* data() const { return static_cast<Element*>(bytes_.data()); }
  std::size_t size() const { return bytes_.size_bytes() / sizeof(Element); }
  std::size_t size_bytes() const { return bytes_.size_bytes(); }

 private:
  DeviceBytes bytes_;
};

}  // namespace kvarium
