#include "kernels/checksums/mixed_sum.hpp"

#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/piece_change.hpp"

namespace kvarium {
namespace {

/// Sum of key * piece modulo 2^64 over 32-bit pieces, the keys derived from seed and place. Definition and bound:
/// docs/mixed_sum.md.
class MixedSum final : public CellChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters&) const override {
    ChecksumTraits traits;
    traits.description =
        "sum of key * piece modulo 2^64 over 32-bit pieces, odd keys from (seed, layer, head, token, piece)";
    traits.updates = true;
    traits.settings = {"seed", "zero_means_absent"};
    traits.blind_classes = {"bytes past the valid tokens"};
    return traits;
  }

  bool update(const std::vector<CacheLayer>& layers, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters& parameters, std::span<std::uint64_t> words) const override {
    const MixedKeys keys(parameters.seed);
    words[0] += weighted_difference(row, changes, mixed_piece_width, [&](const ChangedByte& change) {
      const CacheLayer& layer = layers[static_cast<std::size_t>(change.layer)];
      return keys.cell(layer, change.head, row.first_token + change.token)
          .piece_key(static_cast<unsigned int>(change.byte / mixed_piece_width));
    });
    return true;
  }

 protected:
  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters& parameters) const override {
    const MixedKeys keys(parameters.seed);
    const bool is_reference = parameters.implementation == "host_reference";
    std::uint64_t sum = 0;
    for_each_cell(layers, row, [&](const Cell& cell) {
      const MixedCellKey key = keys.cell(layers[cell.layer], cell.head, row.first_token + cell.token);
      sum += is_reference ? mixed_cell_sum_of_definition(key, cell.bytes) : mixed_cell_sum(key, cell.bytes);
    });
    return sum;
  }
};

}  // namespace

void register_mixed_sum(Registry<ChecksumFamily>& registry) { registry.add("mixed_sum", std::make_unique<MixedSum>()); }

}  // namespace kvarium
