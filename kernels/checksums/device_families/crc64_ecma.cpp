#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_crc64_ecma(Registry<DeviceChecksum>& registry) {
  registry.add("crc64_ecma", make_walked_checksum({.name = "crc64_ecma", .has_finish = true}));
}

}  // namespace kvarium
