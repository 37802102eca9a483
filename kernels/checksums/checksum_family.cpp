#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

void register_checksum_families(Registry<ChecksumFamily>& registry);

const Registry<ChecksumFamily>& checksum_families() {
  static const Registry<ChecksumFamily> registry = [] {
    Registry<ChecksumFamily> families("checksum family");
    register_checksum_families(families);
    return families;
  }();
  return registry;
}

}  // namespace kvarium
