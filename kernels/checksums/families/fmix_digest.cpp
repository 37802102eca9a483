#include "kernels/checksums/fmix_digest.hpp"

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
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

  std::uint64_t digest(const std::vector<std::int64_t>& buffers) const {
    std::uint64_t digest = 0;
    for (std::int64_t buffer : buffers) {
      const std::size_t first = static_cast<std::size_t>(buffer) * num_tiles_;
      for (std::size_t tile = first; tile < first + num_tiles_; ++tile) {
        digest += fmix32(sums_[tile] ^ static_cast<std::uint32_t>(buffer)) * 0x9E3779B97F4A7C15ULL;
      }
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
/// Source: SGLang's relocation-invariant digest, full and sampled; here a tile never reaches into another block row.
class FmixDigest final : public CellChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters& parameters) const override {
    const bool is_full = parameters.sampled_buffers == 0;
    ChecksumTraits traits;
    traits.description = "sum over tiles of 32 tokens of mixed sums of mixed 32-bit words";
    traits.order_sensitive = is_full;
    traits.additive = false;
    traits.sees_each_byte = is_full;
    traits.settings = {"sampled_buffers", "seed", "zero_means_absent"};
    traits.blind_classes = {"bytes past the valid tokens"};
    if (!is_full) traits.blind_classes.emplace_back("bytes of buffers that are not sampled");
    return traits;
  }

 protected:
  void validate_call(const std::vector<CacheLayer>& layers, const ChecksumParameters& parameters) const override {
    const auto num_buffers = static_cast<std::int64_t>(2 * layers.size());
    KVARIUM_VALIDATE(parameters.sampled_buffers >= 0 && parameters.sampled_buffers <= num_buffers,
                     "sampled_buffers is ", parameters.sampled_buffers, " but ", layers.size(), " layers have ",
                     num_buffers, " buffers; use 0 (all) to ", num_buffers);
  }

  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters& parameters) const override {
    if (layers.empty()) return 0;
    TileSums sums(layers.size(), row);
    for_each_cell(layers, row, [&](const Cell& cell) { sums.add(cell); });
    const auto num_buffers = static_cast<std::int64_t>(2 * layers.size());
    return sums.digest(sampled_buffers(parameters.seed, num_buffers, parameters.sampled_buffers));
  }
};

}  // namespace

void register_fmix_digest(Registry<ChecksumFamily>& registry) {
  registry.add("fmix_digest", std::make_unique<FmixDigest>());
}

}  // namespace kvarium
