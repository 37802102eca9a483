#include <isa-l/crc64.h>

#include "kernels/checksums/byte_hash.hpp"
#include "kernels/checksums/crc_ring.hpp"

namespace kvarium {
namespace {

class Crc64OfLibrary {
 public:
  static constexpr auto description = "CRC-64 (ECMA-182)";
  static constexpr int width_bits = 64;
  using Follower = CrcFollower<Crc64EcmaRing>;

  /// The library inverts the register before and after, which ECMA-182 does not.
  void add(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    value_ = ~crc64_ecma_norm(~value_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace

/// Source of its use on KV: Mooncake's store.
void register_crc64_ecma(Registry<ChecksumFamily>& registry) {
  registry.add("crc64_ecma",
               std::make_unique<ByteHash<Crc64OfLibrary, CrcDefinition<Crc64EcmaRing, std::uint64_t{0}>>>());
}

}  // namespace kvarium
