#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_crc32(Registry<DeviceChecksum>& registry) {
  registry.add("crc32", make_walked_checksum({.name = "crc32", .has_finish = true}));
}

}  // namespace kvarium
