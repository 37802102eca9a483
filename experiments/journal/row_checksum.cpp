#include "experiments/journal/row_checksum.hpp"

#include <isa-l/crc.h>

namespace kvarium {

std::uint32_t row_checksum(std::span<const char> bytes) {
  // The library asks for writable bytes and writes none.
  auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  return ~crc32_iscsi(data, static_cast<int>(bytes.size()), 0xFFFFFFFFU);
}

}  // namespace kvarium
