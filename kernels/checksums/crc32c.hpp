#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace kvarium {

/// The polynomial of CRC-32C (Castagnoli) with its bits reversed: bit 31 stands for x^0.
inline constexpr std::uint32_t crc32c_polynomial = 0x82F63B78U;

/// The remainder of a byte times x^32 for every byte.
constexpr std::array<std::uint32_t, 256> make_crc32c_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ ((remainder & 1U) != 0 ? crc32c_polynomial : 0U);
    table[byte] = remainder;
  }
  return table;
}

/// The register after some more bytes; it starts as all ones and ends inverted. Source: RFC 3720, appendix B.4.
inline std::uint32_t crc32c_update(std::uint32_t register_bits, std::span<const std::byte> bytes) {
  static constexpr std::array<std::uint32_t, 256> table = make_crc32c_table();
  for (std::byte byte : bytes) {
    register_bits = register_bits >> 8 ^ table[(register_bits ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU];
  }
  return register_bits;
}

}  // namespace kvarium
