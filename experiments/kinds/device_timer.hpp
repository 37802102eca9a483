#pragma once

#include <cstdint>
#include <functional>

#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/stream.hpp"

namespace kvarium {

/// What leaves the device's caches without the memory that a timed run reads.
enum class Cooling {
  by_scratch,  ///< the device reads other memory, larger than its caches, before the run
  by_rotation  ///< an untimed run of the same work does, from the place before: instructions stay where they are
};

/// Of runs that read `bytes` each and take turns on `num_places` places in memory.
Cooling cooling_of(std::int64_t bytes, std::int64_t num_places);

/// Times work on a GPU stream of its own by events. Before each run the device is busy with what cools its caches, at
/// least for some 60 us: longer than the host takes to put a few launches on the stream.
class DeviceTimer {
 public:
  /// Errors: NotConfigured without a device, DriverError.
  DeviceTimer();

  void* stream() const { return stream_.handle(); }
  const CudaStream& cuda_stream() const { return stream_; }

  /// Seconds that what `work(run)` puts on the stream took, in a run of its own for each sample. Waits for it. Errors:
  /// DriverError.
  double seconds(const std::function<void(std::int64_t run)>& work, std::int64_t sample, Cooling cooling);

 private:
  CudaStream stream_;
  CudaEvent start_, end_;
  DeviceBytes scratch_, sink_;
};

}  // namespace kvarium
