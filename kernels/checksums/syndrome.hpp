#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

/// Integers that no row's sums leave: at most 2^33 pieces of 32 bits, each times its number, stay below 2^98.
__extension__ using WideInteger = __int128;

/// What `syndrome` records of one layer of a row: exact sums over its pieces, and their mixed_sum.
struct LayerSyndrome {
  static constexpr std::size_t num_words = 5;

  WideInteger sum = 0;           ///< of the pieces
  WideInteger numbered_sum = 0;  ///< of number * piece, numbers from 1 in the order head, token, piece
  std::uint64_t mixed_sum = 0;

  /// From a value's words: low and high half of the sum, of the numbered sum, then mixed_sum.
  static LayerSyndrome from_words(std::span<const std::uint64_t> words);
  void to_words(std::span<std::uint64_t> words) const;

  bool operator==(const LayerSyndrome&) const = default;
};

/// Number from 1 of a piece of a row's layer.
constexpr std::int64_t piece_number(const CacheGeometry& geometry, const BlockRow& row, std::int64_t head,
                                    std::int64_t token, std::int64_t piece) {
  return (head * row.valid_tokens + token) * (cell_bytes(geometry) / 4) + piece + 1;
}

/// The piece, with its value from before, that alone explains how a layer differs from its record; nothing where none
/// does: only a piece that the sums name, whose value fits 32 bits, and with which mixed_sum equals its record. The
/// layer's index in the result is 0. Proof of how rarely it is wrong: docs/syndrome.md.
std::optional<PieceRepair> locate_piece(const CacheLayer& layer, const BlockRow& row, const LayerSyndrome& recorded,
                                        const LayerSyndrome& recomputed, std::uint64_t seed);

}  // namespace kvarium
