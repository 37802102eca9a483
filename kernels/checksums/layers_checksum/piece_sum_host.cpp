#include <Kokkos_Core.hpp>
#include <algorithm>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/affine_sum.hpp"
#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium {
namespace {

/// One (row, layer): its tokens as rows of pieces, head by head.
template <class Piece>
class RowSum {
 public:
  RowSum(const LayersChecksumArguments& arguments, const ChecksumLayer& layer, std::int64_t row)
      : rows_(arguments.rows), view_(arguments.pieces), layer_(layer), row_(row) {
    const PieceShape& shape = view_.shape;
    valid_ = std::clamp<std::int64_t>(rows_.valid_tokens[row], 0, shape.kernel_blocks * shape.tokens);
  }

  /// Heads run in the middle: where K and V of a block are half cells, a head's keys lie beside the next head's, not
  /// beside its own values. The longer of the two token axes runs in the inner loop: half cells have two tokens to a
  /// kernel block.
  std::uint64_t value() const {
    const PieceShape& shape = view_.shape;
    const bool has_short_tokens = shape.tokens < shape.kernel_blocks;
    const std::int64_t apart = has_short_tokens ? 1 : shape.tokens;
    const std::int64_t end = has_short_tokens ? std::min(shape.tokens, valid_) : valid_;
    std::uint64_t sum = 0;
    for (std::int64_t first = 0; first < end; first += apart) {
      for (std::int64_t head = 0; head < shape.heads; ++head) {
        const Run run = has_short_tokens
                            ? Run{head, first, (valid_ - first + shape.tokens - 1) / shape.tokens, shape.tokens,
                                  view_.strides.kernel_block}
                            : Run{head, first, std::min(shape.tokens, valid_ - first), 1, view_.strides.token};
        const std::int64_t next = first + apart < end ? first + apart : 0;
        sum += (2 * static_cast<std::uint64_t>(layer_.first_head + head) + 1) * run_sum(run, next);
      }
    }
    return sum;
  }

 private:
  /// Tokens first, first + step, ... (`count` of them) of a head, `stride` pieces apart.
  struct Run {
    std::int64_t head, first, count, step, stride;
  };

  /// `next_first`: first token of the runs after those of all heads.
  std::uint64_t run_sum(const Run& run, std::int64_t next_first) const {
    const auto num_pieces = static_cast<std::uint64_t>(view_.shape.pieces);
    const std::uint64_t position =
        (static_cast<std::uint64_t>(rows_.first_tokens[row_]) + static_cast<std::uint64_t>(run.first)) * num_pieces;
    PieceRows pieces{address(row_, run.head, run.first), run.count, view_.shape.pieces, run.stride,
                     address_after(run, next_first)};
    AffineWeights weights{2 * position + 1, 2 * static_cast<std::uint64_t>(run.step) * num_pieces, 2};
    if (view_.strides.piece == 1) return affine_sum<Piece>(pieces, weights);
    // Pieces apart from each other: each is a row of one column.
    std::uint64_t sum = 0;
    for (std::int64_t token = 0; token < run.count; ++token) {
      const std::byte* data = pieces.data + token * run.stride * std::int64_t{sizeof(Piece)};
      sum += affine_sum<Piece>({data, view_.shape.pieces, 1, view_.strides.piece, data},
                               {weights.origin + static_cast<std::uint64_t>(token) * weights.row, 2, 0});
    }
    return sum;
  }

  const std::byte* address(std::int64_t row, std::int64_t head, std::int64_t token) const {
    const std::int64_t tokens = view_.shape.tokens;
    const std::int64_t offset =
        view_.offset(rows_.block_ids[row], token / tokens, head, token % tokens, 0) * std::int64_t{sizeof(Piece)};
    return reinterpret_cast<const std::byte*>(layer_.address) + offset;
  }

  /// The same tokens of the next head, else the first head's next tokens, of this row or the next: blocks lie in random
  /// order, so only this list knows what is read next.
  const std::byte* address_after(const Run& run, std::int64_t next_first) const {
    if (run.head + 1 < view_.shape.heads) return address(row_, run.head + 1, run.first);
    const bool is_last = next_first == 0;
    return address(is_last ? std::min(row_ + 1, rows_.num_rows - 1) : row_, 0, next_first);
  }

  const ChecksumRows& rows_;
  const PieceView& view_;
  const ChecksumLayer& layer_;
  std::int64_t row_;
  std::int64_t valid_ = 0;
};

std::uint64_t row_sum(const LayersChecksumArguments& arguments, const ChecksumLayer& layer, std::int64_t row) {
  switch (arguments.pieces.piece_width) {
    case 1:
      return RowSum<std::uint8_t>(arguments, layer, row).value();
    case 2:
      return RowSum<std::uint16_t>(arguments, layer, row).value();
    case 4:
      return RowSum<std::uint32_t>(arguments, layer, row).value();
    default:
      return RowSum<std::uint64_t>(arguments, layer, row).value();
  }
}

/// All cores through Kokkos. A thread takes stretches of rows with all their layers, so that no two threads add to one
/// element of `out`, and walks them layer by layer.
class PieceSumHost final : public LayersChecksumFamily {
 public:
  std::string description() const override { return "all cores through Kokkos, vectorised"; }

  void run(const LayersChecksumArguments& arguments) const override {
    using Policy =
        Kokkos::RangePolicy<HostExecution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
    constexpr std::int64_t stretch = 16;
    // A single stretch keeps a single thread busy: no other need wake up for it.
    if (arguments.rows.num_rows <= stretch) return sum_stretch(arguments, 0, arguments.rows.num_rows);
    const HostExecution execution;
    Kokkos::parallel_for("kvarium::layers_checksum",
                         Policy(execution, 0, (arguments.rows.num_rows + stretch - 1) / stretch, Kokkos::ChunkSize(1)),
                         [&](std::int64_t index) {
                           sum_stretch(arguments, index * stretch,
                                       std::min((index + 1) * stretch, arguments.rows.num_rows));
                         });
    execution.fence();
  }

 private:
  static void sum_stretch(const LayersChecksumArguments& arguments, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = 0; i < arguments.num_layers; ++i) {
      const ChecksumLayer& layer = arguments.layers[i];
      for (std::int64_t row = first; row < last; ++row) {
        arguments.out_row(row)[layer.column] += row_sum(arguments, layer, row);
      }
    }
  }
};

}  // namespace

void register_piece_sum_host(Registry<LayersChecksumFamily>& registry) {
  registry.add("host", std::make_unique<PieceSumHost>());
}

}  // namespace kvarium
