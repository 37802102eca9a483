#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/piece_change.hpp"

namespace kvarium {
namespace {

/// A control without order: the sum of all pieces modulo 2^64.
class PlainSum final : public CellChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters& parameters) const override {
    ChecksumTraits traits;
    traits.description = "control: sum of the pieces modulo 2^64, blind to every exchange";
    traits.order_sensitive = false;
    traits.updates = true;
    traits.settings = {"piece_width", "zero_means_absent"};
    traits.blind_classes = {"bytes past the valid tokens",
                            "second differences: four equally spaced changes +d -d -d +d"};
    if (parameters.piece_width == 8) {
      traits.blind_classes.emplace_back("same-lane flips of two pieces in the top bits (8-byte pieces)");
    }
    return traits;
  }

  bool update(const std::vector<CacheLayer>&, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters& parameters, std::span<std::uint64_t> words) const override {
    const auto weight = [](const ChangedByte&) { return std::uint64_t{1}; };
    words[0] += weighted_difference(row, changes, parameters.piece_width, weight);
    return true;
  }

 protected:
  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters& parameters) const override {
    const auto width = static_cast<std::size_t>(parameters.piece_width);
    std::uint64_t sum = 0;
    for_each_cell(layers, row, [&](const Cell& cell) {
      for (std::size_t byte = 0; byte < cell.bytes.size(); byte += width) {
        std::uint64_t piece = 0;
        std::memcpy(&piece, &cell.bytes[byte], width);
        sum += piece;
      }
    });
    return sum;
  }
};

}  // namespace

void register_plain_sum(Registry<ChecksumFamily>& registry) { registry.add("plain_sum", std::make_unique<PlainSum>()); }

}  // namespace kvarium
