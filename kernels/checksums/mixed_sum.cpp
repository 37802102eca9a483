#include "kernels/checksums/mixed_sum.hpp"

#include <cstring>

namespace kvarium {

std::uint64_t mixed_cell_sum(const MixedCellKey& key, std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t byte = 0; byte < bytes.size(); byte += mixed_piece_width) {
    std::uint32_t piece;
    std::memcpy(&piece, &bytes[byte], sizeof(piece));
    sum += key.piece_key(static_cast<unsigned int>(byte / mixed_piece_width)) * piece;
  }
  return sum;
}

std::uint64_t mixed_cell_sum_of_definition(const MixedCellKey& key, std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    const std::uint64_t start = key.origin + byte / 4 * 0x9E3779B97F4A7C15ULL;
    const std::uint64_t high = start >> 32;
    const std::uint64_t product = ((high << 32) + ((start & 0xFFFFFFFFULL) ^ high)) * key.factor;
    const std::uint64_t folded = product ^ product >> 32;
    sum += (folded | 1) * (std::to_integer<std::uint64_t>(bytes[byte]) << 8 * (byte % 4));
  }
  return sum;
}

}  // namespace kvarium
