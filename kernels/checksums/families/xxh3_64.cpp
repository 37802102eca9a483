#define XXH_INLINE_ALL
#if defined(__AVX512F__)
#define XXH_VECTOR 2  // AVX2: GCC 12 warns of its own AVX-512 header
#endif
#include <xxhash.h>

#include <cstring>

#include "kernels/checksums/byte_hash.hpp"
#include "kernels/checksums/cuda/xxh3_definition.cuh"

namespace kvarium {
namespace {

class Xxh3OfLibrary {
 public:
  static constexpr auto description = "XXH3 of 64 bits, seed 0";
  static constexpr int width_bits = 64;

  Xxh3OfLibrary() { XXH3_64bits_reset(&state_); }
  void add(std::span<const std::byte> bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  std::uint64_t value() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

/// The published definition, over the bytes kept until the end. Cells are whole 16-byte pieces.
class Xxh3Definition {
 public:
  void add(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  std::uint64_t value() const {
    const auto word = [this](std::uint64_t index) {
      xxh3::Word bits = 0;
      std::memcpy(&bits, &bytes_[8 * index], sizeof(bits));
      return bits;
    };
    return xxh3::hash(word, bytes_.size());
  }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

/// Source of its use on KV: LMCache's serialised chunks.
void register_xxh3_64(Registry<ChecksumFamily>& registry) {
  registry.add("xxh3_64", std::make_unique<ByteHash<Xxh3OfLibrary, Xxh3Definition>>());
}

}  // namespace kvarium
