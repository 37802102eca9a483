#include "core/piece_view.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

bool all_divide(const CacheStrides& strides, int element_size, int piece_width) {
  const std::int64_t widths[] = {strides.block, strides.kv_head, strides.token};
  for (std::int64_t stride : widths) {
    if (stride * element_size % piece_width != 0) return false;
  }
  return true;
}

}  // namespace

bool has_cell_pieces(const PagedCacheView& cache, int piece_width) {
  const CacheGeometry& geometry = cache.geometry;
  const int bytes = element_bytes(geometry.element_type);
  return geometry.layout != CacheLayout::split_x && cache.key.strides == cache.value.strides &&
         cache.key.strides.element == 1 && cache.key.strides.group_size == geometry.head_size &&
         geometry.head_size * bytes % piece_width == 0 && all_divide(cache.key.strides, bytes, piece_width) &&
         (cache.value.data - cache.key.data) % piece_width == 0;
}

CellPieces cell_pieces(const PagedCacheView& cache, int piece_width) {
  KVARIUM_EXPECT(has_cell_pieces(cache, piece_width));
  const CacheGeometry& geometry = cache.geometry;
  const int bytes = element_bytes(geometry.element_type);
  const std::int64_t half = geometry.head_size * bytes / piece_width;
  const auto in_pieces = [&](std::int64_t elements) { return elements * bytes / piece_width; };
  const std::int64_t distance = (cache.value.data - cache.key.data) / piece_width;
  CellPieces cells;
  cells.address = cache.key.data;
  cells.view.piece_width = piece_width;
  const CacheStrides& strides = cache.key.strides;
  if (distance == half) {
    cells.view.shape = {geometry.num_blocks, 1, geometry.num_kv_heads, geometry.block_size, 2 * half};
    cells.view.strides = {in_pieces(strides.block), 0, in_pieces(strides.kv_head), in_pieces(strides.token), 1};
    return cells;
  }
  // Half cells: the kernel-block axis walks the tokens and the token axis picks K or V.
  cells.token_factor = 2;
  cells.view.shape = {geometry.num_blocks, geometry.block_size, geometry.num_kv_heads, 2, half};
  cells.view.strides = {in_pieces(strides.block), in_pieces(strides.token), in_pieces(strides.kv_head), distance, 1};
  return cells;
}

}  // namespace kvarium
