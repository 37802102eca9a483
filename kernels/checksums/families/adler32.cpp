#include <zlib.h>

#include "kernels/checksums/cell_checksum.hpp"

namespace kvarium {
namespace {

/// Adler-32 as it is defined in RFC 1950, a byte at a time.
std::uint64_t adler32_of_definition(const std::vector<CacheLayer>& layers, const BlockRow& row) {
  constexpr std::uint64_t modulus = 65521;
  std::uint64_t sum = 1, sum_of_sums = 0;
  for_each_cell(layers, row, [&](const Cell& cell) {
    for (std::byte byte : cell.bytes) {
      sum = (sum + std::to_integer<std::uint64_t>(byte)) % modulus;
      sum_of_sums = (sum_of_sums + sum) % modulus;
    }
  });
  return sum_of_sums << 16 | sum;
}

std::uint64_t adler32_of_zlib(const std::vector<CacheLayer>& layers, const BlockRow& row) {
  uLong value = adler32(0, nullptr, 0);
  for_each_cell(layers, row, [&](const Cell& cell) {
    value = adler32(value, reinterpret_cast<const Bytef*>(cell.bytes.data()), static_cast<uInt>(cell.bytes.size()));
  });
  return value;
}

/// Adler-32 of the valid cells, one after another. Source of its use on KV: SGLang's transfer checksum (which walks
/// whole blocks in memory's order instead).
class Adler32 final : public CellChecksum {
 public:
  ChecksumTraits traits() const override {
    return byte_hash_traits("Adler-32 (zlib's) over the cells by layer, head and token");
  }

 protected:
  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters& parameters) const override {
    return parameters.implementation == "host" ? adler32_of_zlib(layers, row) : adler32_of_definition(layers, row);
  }
};

}  // namespace

void register_adler32(Registry<ChecksumFamily>& registry) { registry.add("adler32", std::make_unique<Adler32>()); }

}  // namespace kvarium
