#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvarium {

/// Checksums that slices are recorded with; a slice is the K and V of one logical block of a sequence and one KV head.
enum class SliceChecksum : std::uint8_t { none, weighted_sum, mixed_sum };

/// Names by number, "none" first.
const std::vector<std::string>& slice_checksum_names();

std::string to_string(SliceChecksum checksum);

/// Errors: InputError that lists the known names.
SliceChecksum parse_slice_checksum(std::string_view name);

}  // namespace kvarium
