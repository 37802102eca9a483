#include "kernels/checksums/cuda/walked_checksum.hpp"

namespace kvarium {

void register_fmix_digest(Registry<DeviceChecksum>& registry) {
  registry.add("fmix_digest",
               make_walked_checksum(
                   {.name = "fmix_digest", .words_per_row_layer = 1, .has_finish = true, .takes_thread_blocks = true}));
}

}  // namespace kvarium
