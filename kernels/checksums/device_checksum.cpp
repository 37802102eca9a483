#include "kernels/checksums/device_checksum.hpp"

namespace kvarium {

void register_device_checksums(Registry<DeviceChecksum>& registry);

const Registry<DeviceChecksum>& device_checksums() {
  static const Registry<DeviceChecksum> registry = [] {
    Registry<DeviceChecksum> checksums("device checksum");
    register_device_checksums(checksums);
    return checksums;
  }();
  return registry;
}

}  // namespace kvarium
