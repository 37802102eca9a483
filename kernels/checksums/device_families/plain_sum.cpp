#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_plain_sum(Registry<DeviceChecksum>& registry) {
  registry.add("plain_sum", make_walked_checksum({.name = "plain_sum"}));
}

}  // namespace kvarium
