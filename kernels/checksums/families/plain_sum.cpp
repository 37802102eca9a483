#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"

namespace kvarium {
namespace {

/// A control without order: the sum of all pieces modulo 2^64.
class PlainSum final : public CellChecksum {
 public:
  ChecksumTraits traits() const override {
    ChecksumTraits traits;
    traits.description = "control: sum of the pieces modulo 2^64, blind to every exchange";
    traits.order_sensitive = false;
    traits.blind_classes = {"bytes past the valid tokens",
                            "second differences: four equally spaced changes +d -d -d +d"};
    return traits;
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
