#include <zlib.h>

#include "kernels/checksums/byte_hash.hpp"
#include "kernels/checksums/crc_ring.hpp"

namespace kvarium {
namespace {

class Crc32OfZlib {
 public:
  static constexpr auto description = "CRC-32 (IEEE 802.3, zlib's)";
  static constexpr int width_bits = 32;
  using Follower = CrcFollower<Crc32Ring>;

  void add(std::span<const std::byte> bytes) {
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  uLong value_ = crc32(0, nullptr, 0);
};

}  // namespace

void register_crc32(Registry<ChecksumFamily>& registry) {
  registry.add("crc32", std::make_unique<ByteHash<Crc32OfZlib, CrcDefinition<Crc32Ring, ~0U>>>());
}

}  // namespace kvarium
