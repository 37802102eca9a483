#include "kernels/checksums/cuda/keyed_launch.hpp"

namespace kvarium {

void register_syndrome(Registry<DeviceChecksum>& registry) {
  registry.add("syndrome", make_keyed_checksum({.name = "syndrome", .words_per_layer = 5, .most_chunk_units = 2048}));
}

}  // namespace kvarium
