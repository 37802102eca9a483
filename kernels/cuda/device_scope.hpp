#pragma once

#include <optional>

namespace kvarium {

/// Makes a device current for this thread while it lives: where another one is current, or none, through the primary
/// context, which other libraries of the process share. Then the context of before is current again.
class DeviceScope {
 public:
  /// Errors: InputError for a device that is not there, NotConfigured, DriverError.
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  void* before_ = nullptr;
  bool is_switched_ = false;
};

/// While it lives, this thread may allocate and load kernels although a CUDA graph is captured somewhere in the
/// process: neither becomes part of the graph, and both outlive it.
class RelaxedCapture {
 public:
  /// Errors: NotConfigured, DriverError.
  RelaxedCapture();
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  int before_;
};

/// Number of the device whose memory holds `address`, or nothing for the host's, pinned or not. Errors:
/// NotConfigured.
std::optional<int> device_of_address(const void* address);

}  // namespace kvarium
