#pragma once

#include <cstdint>
#include <span>

namespace kvarium {

/// CRC-32C (RFC 3720) of the bytes of a journal's row.
std::uint32_t row_checksum(std::span<const char> bytes);

}  // namespace kvarium
