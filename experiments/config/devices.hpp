#pragma once

#include <string>
#include <vector>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// A place where kernels can run, in this build on this machine.
struct DeviceStatus {
  Device device = Device::cpu;
  std::string description;
  bool is_configured = true;
  std::string reason;  ///< why not; empty when it is
};

/// Every device that kernels are written for, usable here or not.
std::vector<DeviceStatus> device_statuses();

/// Errors: NotConfigured unless kernels can run on `device`.
void require_device(Device device);

}  // namespace kvarium
