#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/paged_cache_view.hpp"

namespace kvarium {

/// Sizes of a piece view in its index order.
struct PieceShape {
  std::int64_t num_blocks = 0;
  std::int64_t kernel_blocks = 1;
  std::int64_t heads = 1;
  std::int64_t tokens = 0;  ///< per kernel block
  std::int64_t pieces = 0;  ///< per token

  bool operator==(const PieceShape&) const = default;
};

/// Signed strides of a piece view, counted in pieces.
struct PieceStrides {
  std::int64_t block = 0;
  std::int64_t kernel_block = 0;
  std::int64_t head = 0;
  std::int64_t token = 0;
  std::int64_t piece = 1;

  bool operator==(const PieceStrides&) const = default;
};

/// A cache read as unsigned words, [num_blocks, kernel_blocks, heads, tokens, pieces], any signed strides.
/// The address comes with each layer, so that sister layers share one view.
struct PieceView {
  PieceShape shape;
  PieceStrides strides;
  int piece_width = 8;  ///< bytes of one piece: 1, 2, 4 or 8

  /// Offset of a piece, in pieces.
  constexpr std::int64_t offset(std::int64_t block, std::int64_t kernel_block, std::int64_t head,
                                std::int64_t token, std::int64_t piece) const {
    return block * strides.block + kernel_block * strides.kernel_block + head * strides.head +
           token * strides.token + piece * strides.piece;
  }
};

/// How the cells of a cache are seen through a piece view: `token_factor` halves per token and the
/// address of the first piece. `nhd` and `hnd` show each cell as two half cells (K, then V).
struct CellPieces {
  PieceView view;
  const std::byte* address = nullptr;
  int token_factor = 1;
};

/// Whether the cells can be seen through one strided view: not `split_x`, K and V a whole number of
/// pieces apart, and elements contiguous.
bool has_cell_pieces(const PagedCacheView& cache, int piece_width);

/// The view. Precondition: has_cell_pieces(cache, piece_width).
CellPieces cell_pieces(const PagedCacheView& cache, int piece_width);

}  // namespace kvarium
