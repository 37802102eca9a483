#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/piece_change.hpp"

namespace kvarium {
namespace {

/// A control without order: all pieces of 8 bytes folded by exclusive or, whatever the piece width.
class XorFold final : public CellChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters&) const override {
    ChecksumTraits traits;
    traits.description = "control: exclusive or of the 8-byte pieces, blind to every exchange";
    traits.order_sensitive = false;
    traits.additive = false;
    traits.updates = true;
    traits.blind_classes = {"same-lane flips of two pieces in the top bits (8-byte pieces)",
                            "second differences: four equally spaced changes +d -d -d +d",
                            "bytes past the valid tokens"};
    return traits;
  }

  bool update(const std::vector<CacheLayer>&, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters&, std::span<std::uint64_t> words) const override {
    for (const ChangedByte& change : changes) {
      const auto flips = std::to_integer<std::uint64_t>(change.before ^ change.after);
      if (is_valid_token(change, row)) words[0] ^= flips << (8 * (change.byte % 8));
    }
    return true;
  }

 protected:
  std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                          const ChecksumParameters&) const override {
    std::uint64_t folded = 0;
    for_each_cell(layers, row, [&](const Cell& cell) {
      for (std::size_t byte = 0; byte < cell.bytes.size(); byte += sizeof(std::uint64_t)) {
        std::uint64_t piece = 0;
        std::memcpy(&piece, &cell.bytes[byte], sizeof(piece));
        folded ^= piece;
      }
    });
    return folded;
  }
};

}  // namespace

void register_xor_fold(Registry<ChecksumFamily>& registry) { registry.add("xor_fold", std::make_unique<XorFold>()); }

}  // namespace kvarium
