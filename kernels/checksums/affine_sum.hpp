#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kvarium {

/// Pieces in rows: row r begins at `data + r * row_stride` (in pieces), its columns lie side by side.
struct PieceRows {
  const std::byte* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t row_stride = 0;
  /// Memory that will be read next, laid out likewise; asked for while these rows are read. Never null.
  const std::byte* ahead = nullptr;
};

/// Weight of the piece in row r and column c: origin + r * row + c * column, modulo 2^64.
struct AffineWeights {
  std::uint64_t origin = 0;
  std::uint64_t row = 0;
  std::uint64_t column = 0;
};

namespace detail {

/// Columns [first, first + Width) of all rows, a lane for each column, so that no addition waits for another. Sums of
/// the running sums replace products with the row number: after n rows they hold the sum of (n - r) * piece.
template <class Piece, int Width>
std::uint64_t sum_columns(const PieceRows& rows, const AffineWeights& weights, std::int64_t first) {
  std::uint64_t plain[Width] = {};
  std::uint64_t running[Width] = {};
  const auto in_bytes = [](std::int64_t pieces) { return pieces * std::int64_t{sizeof(Piece)}; };
  const std::int64_t step = in_bytes(rows.row_stride);
  const std::byte* data = rows.data + in_bytes(first);
  const std::byte* ahead = rows.ahead + in_bytes(first);
  for (std::int64_t row = 0; row < rows.num_rows; ++row, data += step, ahead += step) {
    Piece pieces[Width];
    std::memcpy(pieces, data, sizeof(pieces));
    // Into the second level: the first level's few buffers are all taken by what is read now.
    for (std::size_t line = 0; line < sizeof(pieces); line += 64) __builtin_prefetch(ahead + line, 0, 2);
    for (int lane = 0; lane < Width; ++lane) {
      plain[lane] += pieces[lane];
      running[lane] += plain[lane];
    }
  }
  std::uint64_t sum = 0;
  for (int lane = 0; lane < Width; ++lane) {
    const std::uint64_t indexed = static_cast<std::uint64_t>(rows.num_rows) * plain[lane] - running[lane];
    const std::uint64_t column = static_cast<std::uint64_t>(first + lane);
    sum += (weights.origin + column * weights.column) * plain[lane] + weights.row * indexed;
  }
  return sum;
}

template <class Piece, int Width>
std::uint64_t sum_from(const PieceRows& rows, const AffineWeights& weights, std::int64_t first) {
  std::uint64_t sum = 0;
  for (; first + Width <= rows.num_columns; first += Width) sum += sum_columns<Piece, Width>(rows, weights, first);
  if constexpr (Width > 1) {
    sum += sum_from<Piece, Width / (Width > 8 ? 2 : 8)>(rows, weights, first);
  }
  return sum;
}

}  // namespace detail

/// Sum of weight * piece over all rows and columns, modulo 2^64; pieces are unsigned.
template <class Piece>
std::uint64_t affine_sum(const PieceRows& rows, const AffineWeights& weights) {
  return detail::sum_from<Piece, 64>(rows, weights, 0);
}

}  // namespace kvarium
