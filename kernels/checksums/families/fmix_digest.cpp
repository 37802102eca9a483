#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t tokens_per_tile = 32;

/// The finaliser of MurmurHash3.
std::uint32_t fmix32(std::uint32_t hash) {
  hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
  return hash ^ hash >> 16;
}

/// Hash of one 32-bit word at its place: buffer, position in the request, word of the token's row.
std::uint32_t word_hash(std::uint32_t word, std::uint32_t buffer, std::uint32_t position, std::uint32_t index) {
  constexpr std::uint32_t seed = 0x243F6A88U;
  return fmix32(word ^ buffer * 0x9E3779B1U ^ position * 0x85EBCA77U ^ seed ^ index * 0xC2B2AE3DU);
}

/// Sums of word hashes, [buffer, tile of 32 tokens]; the K of all layers come first, then the V.
class TileSums {
 public:
  TileSums(std::size_t num_layers, const BlockRow& row)
      : num_layers_(num_layers),
        num_tiles_(static_cast<std::size_t>((row.valid_tokens + tokens_per_tile - 1) / tokens_per_tile)),
        first_token_(row.first_token),
        sums_(2 * num_layers * num_tiles_, 0) {}

  void add(const Cell& cell) {
    const std::size_t half = cell.bytes.size() / 2;
    for (std::size_t byte = 0; byte < cell.bytes.size(); byte += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, &cell.bytes[byte], sizeof(word));
      const std::size_t buffer = cell.layer + (byte < half ? 0 : num_layers_);
      const std::size_t index = (static_cast<std::size_t>(cell.head) * half + byte % half) / sizeof(word);
      sums_[buffer * num_tiles_ + static_cast<std::size_t>(cell.token / tokens_per_tile)] +=
          word_hash(word, static_cast<std::uint32_t>(buffer), static_cast<std::uint32_t>(first_token_ + cell.token),
                    static_cast<std::uint32_t>(index));
    }
  }

  std::uint64_t digest() const {
    std::uint64_t digest = 0;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      digest += fmix32(sums_[i] ^ static_cast<std::uint32_t>(i / num_tiles_)) * 0x9E3779B97F4A7C15ULL;
    }
    return digest;
  }

 private:
  std::size_t num_layers_;
  std::size_t num_tiles_;
  std::int64_t first_token_;
  std::vector<std::uint32_t> sums_;
};

/// Keyed mix of every word with its place. A token's row is its heads one after another, as layout nhd stores it.
/// Source: SGLang's relocation-invariant digest (full form); here a tile never reaches into another block row.
class FmixDigest final : public CellChecksum {
 public:
  ChecksumTraits traits() const override {
    ChecksumTraits traits;
    traits.description = "sum over tiles of 32 tokens of mixed sums of mixed 32-bit words";
    traits.additive = false;
    traits.blind_classes = {"bytes past the valid tokens"};
    return traits;
  }

 protected:
  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters&) const override {
    TileSums sums(layers.size(), row);
    for_each_cell(layers, row, [&](const Cell& cell) { sums.add(cell); });
    return sums.digest();
  }
};

}  // namespace

void register_fmix_digest(Registry<ChecksumFamily>& registry) {
  registry.add("fmix_digest", std::make_unique<FmixDigest>());
}

}  // namespace kvarium
