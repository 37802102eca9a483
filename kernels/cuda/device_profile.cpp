#include "kernels/cuda/device_profile.hpp"

#include "core/check.hpp"
#include "kernels/cuda/context.hpp"
#include "kernels/cuda/driver_library.hpp"

namespace kvarium {
namespace {

constexpr int kibibyte = 1024;

/// Shared memory per block and multiprocessor, multiprocessors: NVIDIA's CUDA C++ Programming Guide, table of technical
/// specifications, and the data sheets. bi_v100 stands for any device that grants 48 KiB.
const std::vector<DeviceProfile>& known_profiles() {
  static const std::vector<DeviceProfile> profiles{
      {"h200", {9, 0, true}, 132, 227 * kibibyte, 228 * kibibyte},
      {"a100", {8, 0, false}, 108, 163 * kibibyte, 164 * kibibyte},
      {"bi_v100", {8, 0, false}, 64, 48 * kibibyte, 64 * kibibyte},
  };
  return profiles;
}

}  // namespace

const std::vector<std::string>& device_profile_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"native"};
    for (const DeviceProfile& profile : known_profiles()) all.push_back(profile.name);
    return all;
  }();
  return names;
}

DeviceProfile device_profile(const std::string& name) {
  if (name == "native") return missing_device_reason().empty() ? current_device() : known_profiles().front();
  for (const DeviceProfile& profile : known_profiles()) {
    if (profile.name == name) return profile;
  }
  detail::throw_input_error(
      concatenate("unknown device profile '", name, "'; use one of ", join(device_profile_names())));
}

}  // namespace kvarium
