#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/checksums/canary_data.hpp"
#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/cuda/splitmix.cuh"

namespace kvarium {
namespace {

constexpr std::size_t words_per_slot = 4;
constexpr std::uint64_t anchor = 0xC0FFEE1234567890ULL;

/// Folds the first `bytes` bytes of a token's row in one buffer, its heads one after another.
std::uint64_t row_hash(const PagedCacheView& cache, const BlockRow& row, std::int64_t token, bool is_value,
                       std::size_t bytes) {
  std::byte cell[detail::largest_cell_bytes];
  const auto half = static_cast<std::size_t>(cell_bytes(cache.geometry) / 2);
  std::uint64_t hash = 0;
  for (std::size_t begin = 0; begin < bytes; begin += half) {
    detail::copy_cell_bytes(cache, row.block, static_cast<std::int64_t>(begin / half), token, cell);
    for (std::size_t byte = 0; byte < std::min(half, bytes - begin); byte += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, cell + (is_value ? half : 0) + byte, std::min(sizeof(word), half - byte));
      hash = splitmix(hash ^ word);
    }
  }
  return hash;
}

/// Combines the K of all layers, then the V.
std::uint64_t data_hash(const std::vector<CacheLayer>& layers, const BlockRow& row, std::int64_t token,
                        CanaryData data) {
  std::uint64_t hash = 0;
  for (bool is_value : {false, true}) {
    for (const CacheLayer& layer : layers) {
      const auto bytes = static_cast<std::size_t>(canary_bytes(layer.cache.geometry, data));
      hash = splitmix(hash ^ row_hash(layer.cache, row, token, is_value, bytes));
    }
  }
  return hash;
}

/// What stands beside every slot: token id, position, chain of the slots before it in the row, hash of its data. A
/// row's chain begins at the anchor. Source: SGLang's KV canary, four words a slot.
class KvCanary final : public RowChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters& parameters) const override {
    const CanaryData data = parameters.canary_data;
    ChecksumTraits traits;
    traits.description = "for each slot its token id, position, chain of earlier slots and hash of its data";
    traits.order_sensitive = data == CanaryData::all;
    traits.additive = false;
    traits.sees_each_byte = data == CanaryData::all;
    traits.updates = data == CanaryData::none;
    traits.beside_slots = true;
    traits.settings = {"canary_data", "zero_means_absent"};
    traits.blind_classes = {"bytes past the valid tokens"};
    if (data == CanaryData::partial) traits.blind_classes.emplace_back("bytes past the first 16 of a token's row");
    if (data == CanaryData::none) traits.blind_classes.emplace_back("bytes of cells");
    return traits;
  }

  std::int64_t words_per_row(const std::vector<CacheLayer>& layers, const ChecksumParameters&) const override {
    const std::int64_t slots = layers.empty() ? 0 : layers.front().cache.geometry.block_size;
    return static_cast<std::int64_t>(words_per_slot) * slots;
  }

  /// A slot whose recorded hash of data is 0 is not verified where zero means absent.
  ChecksumJudgement judge(const ChecksumRecord& recorded, std::span<const std::uint64_t> recomputed,
                          const ChecksumParameters& parameters) const override {
    if (!recorded.is_present) return ChecksumJudgement::unverified;
    const bool may_be_absent = parameters.zero_means_absent && parameters.canary_data != CanaryData::none;
    bool has_absent = false;
    for (std::size_t i = 0; i < recomputed.size(); ++i) {
      const bool is_data = i % words_per_slot == words_per_slot - 1;
      const bool is_absent = is_data && may_be_absent && recorded.words[i] == 0;
      has_absent = has_absent || (is_absent && is_written(recomputed, i / words_per_slot));
      if (!is_absent && recorded.words[i] != recomputed[i]) return ChecksumJudgement::mismatch;
    }
    return has_absent ? ChecksumJudgement::unverified : ChecksumJudgement::clean;
  }

  bool update(const std::vector<CacheLayer>&, const BlockRow&, std::span<const ChangedByte>,
              const ChecksumParameters& parameters, std::span<std::uint64_t>) const override {
    return parameters.canary_data == CanaryData::none;
  }

 protected:
  void sum_row(const std::vector<CacheLayer>& layers, const BlockRow& row, const ChecksumParameters& parameters,
               std::span<std::uint64_t> words) const override {
    std::uint64_t chain = splitmix(anchor);
    for (std::int64_t token = 0; token < row.valid_tokens; ++token) {
      const auto id = static_cast<std::uint64_t>(row.token_ids != nullptr ? row.token_ids[token] : 0);
      const auto position = static_cast<std::uint64_t>(row.first_token + token);
      const bool has_data = parameters.canary_data != CanaryData::none;
      const std::uint64_t data = has_data ? data_hash(layers, row, token, parameters.canary_data) : 0;
      const auto slot = words.subspan(static_cast<std::size_t>(token) * words_per_slot, words_per_slot);
      std::ranges::copy(std::array{id, position, chain, data}, slot.begin());
      chain = splitmix(splitmix(splitmix(chain) ^ id) ^ position);
    }
  }

 private:
  /// A written slot's chain is never 0: the anchor's is not, and 0 has one forebear in 2^64.
  static bool is_written(std::span<const std::uint64_t> words, std::size_t slot) {
    return words[slot * words_per_slot + 2] != 0;
  }
};

}  // namespace

void register_kv_canary(Registry<ChecksumFamily>& registry) { registry.add("kv_canary", std::make_unique<KvCanary>()); }

}  // namespace kvarium
