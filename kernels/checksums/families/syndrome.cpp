#include "kernels/checksums/syndrome.hpp"

#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/mixed_sum.hpp"
#include "kernels/checksums/piece_change.hpp"

namespace kvarium {
namespace {

std::span<std::uint64_t> words_of(std::span<std::uint64_t> words, std::size_t layer) {
  return words.subspan(layer * LayerSyndrome::num_words, LayerSyndrome::num_words);
}

std::span<const std::uint64_t> words_of(std::span<const std::uint64_t> words, std::size_t layer) {
  return words.subspan(layer * LayerSyndrome::num_words, LayerSyndrome::num_words);
}

/// Adds the pieces of one cell.
void add_cell(const MixedCellKey& key, std::int64_t first_number, const Cell& cell, bool is_reference,
              LayerSyndrome& syndrome) {
  std::uint64_t sum = 0, numbered = 0;
  for (std::size_t byte = 0; byte < cell.bytes.size(); byte += mixed_piece_width) {
    std::uint32_t piece;
    std::memcpy(&piece, &cell.bytes[byte], sizeof(piece));
    sum += piece;
    numbered += byte / mixed_piece_width * piece;
  }
  syndrome.sum += static_cast<WideInteger>(sum);
  syndrome.numbered_sum += static_cast<WideInteger>(first_number) * static_cast<WideInteger>(sum);
  syndrome.numbered_sum += static_cast<WideInteger>(numbered);
  syndrome.mixed_sum += is_reference ? mixed_cell_sum_of_definition(key, cell.bytes) : mixed_cell_sum(key, cell.bytes);
}

/// Exact sums by which a single damaged piece of a layer is found and put right, beside a mixed_sum that confirms it.
/// Definition and proof: docs/syndrome.md.
class Syndrome final : public RowChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters&) const override {
    ChecksumTraits traits;
    traits.description = "for each layer the exact sum of 32-bit pieces, of number * piece, and their mixed_sum";
    traits.additive = false;
    traits.updates = true;
    traits.repairs = true;
    traits.settings = {"seed", "zero_means_absent"};
    traits.blind_classes = {"bytes past the valid tokens"};
    return traits;
  }

  std::int64_t words_per_row(const std::vector<CacheLayer>& layers, const ChecksumParameters&) const override {
    return static_cast<std::int64_t>(layers.size() * LayerSyndrome::num_words);
  }

  bool update(const std::vector<CacheLayer>& layers, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters& parameters, std::span<std::uint64_t> words) const override {
    const MixedKeys keys(parameters.seed);
    for (const ChangedByte& change : changes) {
      if (!is_valid_token(change, row)) continue;
      const auto index = static_cast<std::size_t>(change.layer);
      const CacheLayer& layer = layers[index];
      const std::int64_t piece = change.byte / mixed_piece_width;
      const auto difference = static_cast<std::int64_t>(piece_difference(change, mixed_piece_width));
      LayerSyndrome syndrome = LayerSyndrome::from_words(words_of(words, index));
      syndrome.sum += difference;
      syndrome.numbered_sum +=
          WideInteger{difference} * piece_number(layer.cache.geometry, row, change.head, change.token, piece);
      syndrome.mixed_sum +=
          keys.cell(layer, change.head, row.first_token + change.token).piece_key(static_cast<unsigned int>(piece)) *
          static_cast<std::uint64_t>(difference);
      syndrome.to_words(words_of(words, index));
    }
    return true;
  }

  std::optional<std::vector<PieceRepair>> repair(const std::vector<CacheLayer>& layers, const BlockRow& row,
                                                 std::span<const std::uint64_t> recorded,
                                                 std::span<const std::uint64_t> recomputed,
                                                 const ChecksumParameters& parameters) const override {
    std::vector<PieceRepair> repairs;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const LayerSyndrome before = LayerSyndrome::from_words(words_of(recorded, layer));
      const LayerSyndrome now = LayerSyndrome::from_words(words_of(recomputed, layer));
      if (before == now) continue;
      std::optional<PieceRepair> piece = locate_piece(layers[layer], row, before, now, parameters.seed);
      if (!piece) return {};
      piece->layer = layer;
      repairs.push_back(*piece);
    }
    return repairs;
  }

 protected:
  void sum_row(const std::vector<CacheLayer>& layers, const BlockRow& row, const ChecksumParameters& parameters,
               std::span<std::uint64_t> words) const override {
    const MixedKeys keys(parameters.seed);
    const bool is_reference = parameters.implementation == "host_reference";
    std::vector<LayerSyndrome> syndromes(layers.size());
    for_each_cell(layers, row, [&](const Cell& cell) {
      const CacheLayer& layer = layers[cell.layer];
      add_cell(keys.cell(layer, cell.head, row.first_token + cell.token),
               piece_number(layer.cache.geometry, row, cell.head, cell.token, 0), cell, is_reference,
               syndromes[cell.layer]);
    });
    for (std::size_t layer = 0; layer < layers.size(); ++layer) syndromes[layer].to_words(words_of(words, layer));
  }
};

}  // namespace

void register_syndrome(Registry<ChecksumFamily>& registry) { registry.add("syndrome", std::make_unique<Syndrome>()); }

}  // namespace kvarium
