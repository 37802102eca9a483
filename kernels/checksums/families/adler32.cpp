#include <zlib.h>

#include "kernels/checksums/byte_hash.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t modulus = 65521;

/// Adler-32 as it is defined in RFC 1950, a byte at a time.
class AdlerDefinition {
 public:
  void add(std::span<const std::byte> bytes) {
    for (std::byte byte : bytes) {
      sum_ = (sum_ + std::to_integer<std::uint64_t>(byte)) % modulus;
      sum_of_sums_ = (sum_of_sums_ + sum_) % modulus;
    }
  }
  std::uint64_t value() const { return sum_of_sums_ << 16 | sum_; }

 private:
  std::uint64_t sum_ = 1, sum_of_sums_ = 0;
};

/// The second half holds every byte as often as there are bytes from it on.
class AdlerFollower {
 public:
  AdlerFollower(std::uint64_t value, std::int64_t bytes)
      : sum_(static_cast<std::int64_t>(value & 0xFFFF)),
        sum_of_sums_(static_cast<std::int64_t>(value >> 16)),
        bytes_(bytes) {}

  void add(std::int64_t position, std::byte before, std::byte after) {
    const std::int64_t difference = std::to_integer<std::int64_t>(after) - std::to_integer<std::int64_t>(before);
    sum_ += difference;
    sum_of_sums_ = (sum_of_sums_ + (bytes_ - position) % modulus * difference) % modulus;
  }

  std::uint64_t value() const {
    const auto rest = [](std::int64_t sum) { return static_cast<std::uint64_t>((sum % modulus + modulus) % modulus); };
    return rest(sum_of_sums_) << 16 | rest(sum_);
  }

 private:
  std::int64_t sum_, sum_of_sums_, bytes_;
};

class AdlerOfZlib {
 public:
  static constexpr auto description = "Adler-32 (zlib's)";
  static constexpr int width_bits = 32;
  using Follower = AdlerFollower;
  static constexpr auto blind_class = "second differences: four equally spaced changes +d -d -d +d";

  void add(std::span<const std::byte> bytes) {
    value_ = adler32_z(value_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  uLong value_ = adler32(0, nullptr, 0);
};

}  // namespace

/// Source of its use on KV: SGLang's transfer checksum, in the order of memory.
void register_adler32(Registry<ChecksumFamily>& registry) {
  registry.add("adler32", std::make_unique<ByteHash<AdlerOfZlib, AdlerDefinition>>());
}

}  // namespace kvarium
