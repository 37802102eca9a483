#include "kernels/checksums/cuda/keyed_launch.hpp"

namespace kvarium {

void register_mixed_sum(Registry<DeviceChecksum>& registry) {
  registry.add("mixed_sum", make_keyed_checksum({.name = "mixed_sum"}));
}

}  // namespace kvarium
