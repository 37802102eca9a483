#pragma once

#include <optional>

namespace kvarium {

/// Clock and energy of the device of this thread's context, by NVML, which is opened while the program runs. Where it
/// is missing, or the device does not tell, there is no value.
class DeviceMonitor {
 public:
  DeviceMonitor();

  /// Clock of the multiprocessors now, in Hz.
  std::optional<double> multiprocessor_clock() const;
  /// Energy since the driver was loaded, in J; the device updates it some ten times a second.
  std::optional<double> energy() const;

 private:
  void* device_ = nullptr;
};

}  // namespace kvarium
