#pragma once

#include "experiments/kinds/device_timer.hpp"
#include "experiments/kinds/throughput_tables.hpp"
#include "kernels/memory/device_reader.hpp"

namespace kvarium {

/// Device memory that the device readers run over: far more than the device's caches hold.
class DeviceReadCeiling {
 public:
  /// `same_size_bytes`: what the kernel beside reads. Errors: NotConfigured without a device, DriverError when its
  /// memory is short.
  explicit DeviceReadCeiling(std::int64_t same_size_bytes);

  /// One work a device reader over all of the memory, timed by events.
  std::vector<TimedWork> works();
  /// One work a device reader over as many bytes as the kernel reads, each time from another place.
  std::vector<TimedWork> same_size_works();

  /// The same-size reader of that name without a pause.
  SustainedRun run_sustained_read(const TimedSeries& reader, double seconds);

 private:
  std::int64_t num_places() const;
  void read(const DeviceReader& reader, std::int64_t run);

  std::size_t same_size_bytes_;
  DeviceTimer timer_;
  DeviceBytes memory_;
  DeviceBytes sink_;
};

/// Times `kernel` beside the readers in turns, then each without a pause where the limits say so. `launch` puts one run
/// of the kernel on `stream`.
Throughput measure_on_device(const TimedWork& kernel, const CudaStream& stream,
                             const std::function<void(std::int64_t run)>& launch, const LimitsConfig& limits);

}  // namespace kvarium
