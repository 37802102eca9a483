#pragma once

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

/// How much a byte's change changes the piece of `piece_width` bytes that holds it, modulo 2^64. Precondition: the
/// width is a power of two.
constexpr std::uint64_t piece_difference(const ChangedByte& change, int piece_width) {
  const std::uint64_t after = std::to_integer<std::uint64_t>(change.after);
  return (after - std::to_integer<std::uint64_t>(change.before)) << (8 * (change.byte & (piece_width - 1)));
}

/// Whether a change is one of the row's valid cells.
constexpr bool is_valid_token(const ChangedByte& change, const BlockRow& row) {
  return change.token < row.valid_tokens;
}

/// Sum of weight(change) * piece_difference(change) over the changes of valid tokens.
template <class Weight>
std::uint64_t weighted_difference(const BlockRow& row, std::span<const ChangedByte> changes, int piece_width,
                                  const Weight& weight) {
  std::uint64_t sum = 0;
  for (const ChangedByte& change : changes) {
    if (is_valid_token(change, row)) sum += weight(change) * piece_difference(change, piece_width);
  }
  return sum;
}

}  // namespace kvarium
