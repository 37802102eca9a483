#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstring>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium {
namespace {

/// Sum of the pieces and sum of index * piece of one contiguous run: with weights linear in the index, the weighted
/// sum of any run follows from these two.
struct RunSums {
  std::uint64_t plain = 0;
  std::uint64_t indexed = 0;
};

/// Reads a long run in steps of 64 pieces, each through its own lane, so that no addition waits for another.
/// Sums of the running sums replace the products step * piece: after n steps they hold sum of (n - step) * piece.
template <class Piece>
RunSums sum_contiguous(const std::byte* data, std::int64_t count) {
  constexpr int width = 64;
  std::uint64_t plain[width] = {};
  std::uint64_t running[width] = {};
  std::int64_t first = 0;
  for (; first + width <= count; first += width) {
    Piece pieces[width];
    std::memcpy(pieces, data + first * std::int64_t{sizeof(Piece)}, sizeof(pieces));
    for (int lane = 0; lane < width; ++lane) {
      plain[lane] += pieces[lane];
      running[lane] += plain[lane];
    }
  }
  RunSums sums;
  for (int lane = 0; lane < width; ++lane) {
    sums.plain += plain[lane];
    sums.indexed += static_cast<std::uint64_t>(first) * plain[lane] - width * running[lane] +
                    static_cast<std::uint64_t>(lane) * plain[lane];
  }
  for (; first < count; ++first) {
    Piece piece;
    std::memcpy(&piece, data + first * std::int64_t{sizeof(Piece)}, sizeof(piece));
    sums.plain += piece;
    sums.indexed += static_cast<std::uint64_t>(first) * piece;
  }
  return sums;
}

template <class Piece>
RunSums sum_strided(const std::byte* data, std::int64_t count, std::int64_t stride) {
  RunSums sums;
  for (std::int64_t index = 0; index < count; ++index) {
    Piece piece;
    std::memcpy(&piece, data + index * stride * std::int64_t{sizeof(Piece)}, sizeof(piece));
    sums.plain += piece;
    sums.indexed += static_cast<std::uint64_t>(index) * piece;
  }
  return sums;
}

/// One (row, layer): walks heads and tokens, joining tokens that lie back to back into one run.
template <class Piece>
class RowSum {
 public:
  RowSum(const LayersChecksumArguments& arguments, const ChecksumLayer& layer, std::int64_t row)
      : view_(arguments.pieces), layer_(layer), first_token_(arguments.rows.first_tokens[row]),
        block_(arguments.rows.block_ids[row]) {
    const PieceShape& shape = view_.shape;
    valid_ = std::clamp<std::int64_t>(arguments.rows.valid_tokens[row], 0, shape.kernel_blocks * shape.tokens);
    tokens_joined_ = view_.strides.piece == 1 && view_.strides.token == shape.pieces;
  }

  std::uint64_t value() const {
    std::uint64_t sum = 0;
    for (std::int64_t head = 0; head < view_.shape.heads; ++head) {
      sum += static_cast<std::uint64_t>(2 * (layer_.first_head + head) + 1) * head_sum(head);
    }
    return sum;
  }

 private:
  std::uint64_t head_sum(std::int64_t head) const {
    const std::int64_t tokens = view_.shape.tokens;
    std::uint64_t sum = 0;
    for (std::int64_t first = 0; first < valid_; first += tokens) {
      const std::int64_t count = std::min(tokens, valid_ - first);
      if (tokens_joined_) {
        sum += run_sum(head, first, 0, count * view_.shape.pieces);
        continue;
      }
      for (std::int64_t token = 0; token < count; ++token) sum += run_sum(head, first, token, view_.shape.pieces);
    }
    return sum;
  }

  /// Weighted sum of `count` pieces from token `first + token` on.
  std::uint64_t run_sum(std::int64_t head, std::int64_t first, std::int64_t token, std::int64_t count) const {
    const std::int64_t offset = view_.offset(block_, first / view_.shape.tokens, head, token, 0);
    const std::byte* data =
        reinterpret_cast<const std::byte*>(layer_.address) + offset * std::int64_t{sizeof(Piece)};
    const RunSums sums = view_.strides.piece == 1 ? sum_contiguous<Piece>(data, count)
                                                  : sum_strided<Piece>(data, count, view_.strides.piece);
    const std::uint64_t position =
        static_cast<std::uint64_t>(first_token_ + first + token) * static_cast<std::uint64_t>(view_.shape.pieces);
    return (2 * position + 1) * sums.plain + 2 * sums.indexed;
  }

  const PieceView& view_;
  const ChecksumLayer& layer_;
  std::int64_t first_token_;
  std::int64_t block_;
  std::int64_t valid_ = 0;
  bool tokens_joined_ = false;
};

std::uint64_t row_sum(const LayersChecksumArguments& arguments, const ChecksumLayer& layer, std::int64_t row) {
  switch (arguments.pieces.piece_width) {
    case 1: return RowSum<std::uint8_t>(arguments, layer, row).value();
    case 2: return RowSum<std::uint16_t>(arguments, layer, row).value();
    case 4: return RowSum<std::uint32_t>(arguments, layer, row).value();
    default: return RowSum<std::uint64_t>(arguments, layer, row).value();
  }
}

/// All cores through Kokkos; a unit of work is one block row with all its layers, so that no two threads
/// add to one element of `out`.
class PieceSumHost final : public LayersChecksumFamily {
 public:
  std::string description() const override { return "all cores through Kokkos, vectorised"; }

  void run(const LayersChecksumArguments& arguments) const override {
    using Policy =
        Kokkos::RangePolicy<HostExecution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
    const HostExecution execution;
    Kokkos::parallel_for("kvarium::layers_checksum", Policy(execution, 0, arguments.rows.num_rows),
                         [&](std::int64_t row) {
                           for (std::int64_t i = 0; i < arguments.num_layers; ++i) {
                             const ChecksumLayer& layer = arguments.layers[i];
                             arguments.out[row * arguments.num_columns + layer.column] +=
                                 row_sum(arguments, layer, row);
                           }
                         });
    execution.fence();
  }
};

}  // namespace

void register_piece_sum_host(Registry<LayersChecksumFamily>& registry) {
  registry.add("host", std::make_unique<PieceSumHost>());
}

}  // namespace kvarium
