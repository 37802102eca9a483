#include <algorithm>
#include <cstring>

#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium {
namespace {

/// One piece as an unsigned number, little-endian.
std::uint64_t read_piece(const std::byte* base, std::int64_t offset, int width) {
  std::uint64_t piece = 0;
  std::memcpy(&piece, base + offset * width, static_cast<std::size_t>(width));
  return piece;
}

/// The definition, one piece at a time.
std::uint64_t row_sum(const LayersChecksumArguments& arguments, const ChecksumLayer& layer, std::int64_t row) {
  const PieceView& view = arguments.pieces;
  const PieceShape& shape = view.shape;
  const auto* base = reinterpret_cast<const std::byte*>(layer.address);
  const std::int64_t valid =
      std::clamp<std::int64_t>(arguments.rows.valid_tokens[row], 0, shape.kernel_blocks * shape.tokens);
  std::uint64_t sum = 0;
  for (std::int64_t head = 0; head < shape.heads; ++head) {
    const auto head_weight = 2 * static_cast<std::uint64_t>(layer.first_head + head) + 1;
    for (std::int64_t t = 0; t < valid; ++t) {
      for (std::int64_t p = 0; p < shape.pieces; ++p) {
        const auto position =
            (static_cast<std::uint64_t>(arguments.rows.first_tokens[row]) + static_cast<std::uint64_t>(t)) *
                static_cast<std::uint64_t>(shape.pieces) +
            static_cast<std::uint64_t>(p);
        const std::int64_t offset =
            view.offset(arguments.rows.block_ids[row], t / shape.tokens, head, t % shape.tokens, p);
        sum += head_weight * (2 * position + 1) * read_piece(base, offset, view.piece_width);
      }
    }
  }
  return sum;
}

/// Sequential and plain.
class PieceSumReference final : public LayersChecksumFamily {
 public:
  std::string description() const override { return "sequential reference, one piece at a time"; }

  void run(const LayersChecksumArguments& arguments) const override {
    for (std::int64_t row = 0; row < arguments.rows.num_rows; ++row) {
      for (std::int64_t i = 0; i < arguments.num_layers; ++i) {
        const ChecksumLayer& layer = arguments.layers[i];
        arguments.out_row(row)[layer.column] += row_sum(arguments, layer, row);
      }
    }
  }
};

}  // namespace

void register_piece_sum_reference(Registry<LayersChecksumFamily>& registry) {
  registry.add("host_reference", std::make_unique<PieceSumReference>());
}

}  // namespace kvarium
