#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/architecture.hpp"

namespace kvarium {

/// Limits of a device that decide which variants it can run. `native` is the device present, or the limits of
/// an H200 where there is none.
struct DeviceProfile {
  std::string name;
  Architecture architecture;
  int multiprocessors = 0;
  int shared_memory_per_block = 0;           ///< bytes, dynamic and static together, after opting in
  int shared_memory_per_multiprocessor = 0;  ///< bytes
  int registers_per_multiprocessor = 65536;
  int threads_per_multiprocessor = 2048;

  bool operator==(const DeviceProfile&) const = default;
};

/// Names of all profiles, `native` first.
const std::vector<std::string>& device_profile_names();

/// Errors: InputError that lists the known names.
DeviceProfile device_profile(const std::string& name);

}  // namespace kvarium
