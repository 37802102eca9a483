#include "kernels/checksums/slice_checksum.hpp"

#include "core/enum_names.hpp"

namespace kvarium {

const std::vector<std::string>& slice_checksum_names() {
  static const std::vector<std::string> names{"none", "weighted_sum", "mixed_sum"};
  return names;
}

std::string to_string(SliceChecksum checksum) { return slice_checksum_names().at(static_cast<std::size_t>(checksum)); }

SliceChecksum parse_slice_checksum(std::string_view name) {
  return parse_enum<SliceChecksum>("verification", name, slice_checksum_names());
}

}  // namespace kvarium
