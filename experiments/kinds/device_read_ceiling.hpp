#pragma once

#include "experiments/kinds/device_timer.hpp"
#include "experiments/kinds/timed_samples.hpp"

namespace kvarium {

/// Device memory that the device readers run over: far more than the device's caches hold.
class DeviceReadCeiling {
 public:
  /// Errors: NotConfigured without a device, DriverError when its memory is short.
  DeviceReadCeiling();

  /// One work a device reader, timed by events.
  std::vector<TimedWork> works();

 private:
  DeviceTimer timer_;
  DeviceBytes memory_;
  DeviceBytes sink_;
};

}  // namespace kvarium
