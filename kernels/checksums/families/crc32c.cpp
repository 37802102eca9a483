#include <isa-l/crc.h>

#include <algorithm>

#include "kernels/checksums/byte_hash.hpp"
#include "kernels/checksums/crc_ring.hpp"

namespace kvarium {
namespace {

class Crc32cOfLibrary {
 public:
  static constexpr auto description = "CRC-32C (Castagnoli)";
  static constexpr int width_bits = 32;
  using Follower = CrcFollower<Crc32cRing>;

  /// The library counts bytes by an int and takes, but does not change, a pointer to what may be changed.
  void add(std::span<const std::byte> bytes) {
    constexpr std::size_t longest = std::size_t{1} << 30;
    while (!bytes.empty()) {
      const auto part = bytes.first(std::min(bytes.size(), longest));
      auto* data = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(part.data()));
      register_ = crc32_iscsi(data, static_cast<int>(part.size()), register_);
      bytes = bytes.subspan(part.size());
    }
  }
  std::uint64_t value() const { return ~register_; }

 private:
  std::uint32_t register_ = ~0U;
};

}  // namespace

/// Source of its use on KV: vLLM's filesystem tier. Definition: RFC 3720, appendix B.4.
void register_crc32c(Registry<ChecksumFamily>& registry) {
  registry.add("crc32c", std::make_unique<ByteHash<Crc32cOfLibrary, CrcDefinition<Crc32cRing, ~0U>>>());
}

}  // namespace kvarium
