#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_crc32c(Registry<DeviceChecksum>& registry) {
  registry.add("crc32c", make_walked_checksum({.name = "crc32c", .has_finish = true}));
}

}  // namespace kvarium
