#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_adler32(Registry<DeviceChecksum>& registry) {
  registry.add("adler32", make_walked_checksum({.name = "adler32", .words_per_row = 2, .has_finish = true}));
}

}  // namespace kvarium
