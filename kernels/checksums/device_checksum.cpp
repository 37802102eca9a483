#include "kernels/checksums/device_checksum.hpp"

namespace kvarium {

void register_device_checksums(Registry<DeviceChecksum>& registry);

DeviceChecksumSettings DeviceChecksumSettings::from(const ChecksumParameters& parameters) {
  DeviceChecksumSettings settings;
  settings.piece_width = parameters.piece_width;
  settings.seed = parameters.seed;
  settings.byte_order = parameters.byte_order;
  settings.sampled_buffers = parameters.sampled_buffers;
  settings.edge_width = parameters.edge_width;
  settings.canary_data = parameters.canary_data;
  return settings;
}

const Registry<DeviceChecksum>& device_checksums() {
  static const Registry<DeviceChecksum> registry = [] {
    Registry<DeviceChecksum> checksums("device checksum");
    register_device_checksums(checksums);
    return checksums;
  }();
  return registry;
}

}  // namespace kvarium
