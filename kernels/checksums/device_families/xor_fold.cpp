#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_xor_fold(Registry<DeviceChecksum>& registry) {
  registry.add("xor_fold", make_walked_checksum({.name = "xor_fold"}));
}

}  // namespace kvarium
