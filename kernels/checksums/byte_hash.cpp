#include "kernels/checksums/byte_hash.hpp"

namespace kvarium {

ChecksumTraits byte_hash_traits(const ChecksumParameters& parameters) {
  const bool is_cells = parameters.byte_order == ByteOrder::cell;
  ChecksumTraits traits;
  traits.additive = false;
  traits.layout_independent = is_cells;
  traits.masks_tail = is_cells;
  if (is_cells) traits.blind_classes = {"bytes past the valid tokens"};
  traits.settings = {"byte_order", "zero_means_absent"};
  return traits;
}

}  // namespace kvarium
