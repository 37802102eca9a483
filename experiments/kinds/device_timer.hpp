#pragma once

#include <functional>

#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/stream.hpp"

namespace kvarium {

/// Times work on a GPU stream of its own by events. Before each run the device reads scratch memory larger than its
/// caches: they are cold, and the device is busy for as long as the host takes to put the work on the stream.
class DeviceTimer {
 public:
  /// Errors: NotConfigured without a device, DriverError.
  DeviceTimer();

  void* stream() const { return stream_.handle(); }
  const CudaStream& cuda_stream() const { return stream_; }

  /// Seconds that what `work` puts on the stream took. Waits for it. Errors: DriverError.
  double seconds(const std::function<void()>& work);

 private:
  CudaStream stream_;
  CudaEvent start_, end_;
  DeviceBytes scratch_, sink_;
};

}  // namespace kvarium
