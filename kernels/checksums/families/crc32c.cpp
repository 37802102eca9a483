#include "kernels/checksums/crc32c.hpp"

#include "kernels/checksums/cell_checksum.hpp"

namespace kvarium {
namespace {

/// The definition, a bit at a time.
std::uint32_t update_by_bits(std::uint32_t register_bits, std::span<const std::byte> bytes) {
  for (std::byte byte : bytes) {
    register_bits ^= std::to_integer<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      register_bits = register_bits >> 1 ^ ((register_bits & 1U) != 0 ? crc32c_polynomial : 0U);
    }
  }
  return register_bits;
}

/// CRC-32C of the valid cells, one after another. Source of its use on KV: vLLM's filesystem tier.
class Crc32c final : public CellChecksum {
 public:
  ChecksumTraits traits() const override {
    return byte_hash_traits("CRC-32C (Castagnoli) over the cells by layer, head and token");
  }

 protected:
  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters& parameters) const override {
    const bool by_table = parameters.implementation == "host";
    std::uint32_t register_bits = ~0U;
    for_each_cell(layers, row, [&](const Cell& cell) {
      register_bits = by_table ? crc32c_update(register_bits, cell.bytes) : update_by_bits(register_bits, cell.bytes);
    });
    return ~register_bits;
  }
};

}  // namespace

void register_crc32c(Registry<ChecksumFamily>& registry) { registry.add("crc32c", std::make_unique<Crc32c>()); }

}  // namespace kvarium
