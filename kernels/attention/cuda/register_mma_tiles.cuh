#pragma once

#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

// Which lane of a warp loads which tokens and elements in the family register_mma, such that what it loads are operands
// of the multiplications as they are. Two freedoms make that possible: a query-key product is the same for any order of
// the head's elements, and a weighted sum of values for any order of the tokens.

namespace kvarium {

constexpr bool value_is_transposed = variant::layout == CacheLayout::split_x;
constexpr int cache_element_bytes = element_bytes(variant::cache_type);

/// What is multiplied. Every fp8 value is one of float16, which the device makes of it in one step; weights fit float16
/// too, and queries once they are scaled.
constexpr ElementType operand_type = is_float8(variant::cache_type) ? ElementType::float16 : variant::query_type;
constexpr bool queries_are_scaled = operand_type != variant::query_type;

/// Tokens that one multiplication takes.
constexpr int tile_tokens = 16;
constexpr int tiles_per_step = variant::block_n / tile_tokens;

/// Neighbouring tokens whose values one lane holds. Rows of values: four, as a multiplication wants. Transposed values:
/// as many as lie in 16 bytes, if four lanes then take no more than a step.
constexpr int neighbours_in(int most) {
  return most > 4 && variant::block_n % (4 * most) != 0 ? neighbours_in(most / 2) : most;
}
constexpr int tokens_per_lane = value_is_transposed ? neighbours_in(16 / cache_element_bytes) : 4;

/// Tokens that four lanes hold side by side, in the tiles that share them.
constexpr int span_tokens = 4 * tokens_per_lane;
constexpr int tiles_per_span = span_tokens / tile_tokens;
constexpr int spans_per_step = variant::block_n / span_tokens;
static_assert(variant::block_n % span_tokens == 0, "an inner step is a number of whole spans");

/// Query heads of one multiplication, one for each of its columns.
constexpr int tile_heads = 8;
constexpr int head_tiles = variant::head_tiles_per_warp;
/// Warps that share a KV head's cells, each with query heads of its own.
constexpr int warps_per_kv_head =
    (variant::query_heads_per_kv_head + tile_heads * head_tiles - 1) / (tile_heads * head_tiles);

/// A lane's place in the operands: rows are tokens of K, elements of V and query heads; columns are what is summed
/// over.
struct Lane {
  int row;
  int column;
};

inline Lane this_lane() { return {static_cast<int>(threadIdx.x % 32U / 4U), static_cast<int>(threadIdx.x % 4U)}; }

/// Token of a span that stands in row `row` (`half` 1: row + 8) of its tile `tile`. Transposed scores of a lane then
/// belong to the tokens whose values it holds: 2 * column and the next in half 0, 2 * column + 8 and the next in
/// half 1.
constexpr int token_in_span(int row, int tile, int half) {
  return tokens_per_lane * (row / 2) + 4 * tile + 2 * half + row % 2;
}

/// Pieces of 16 bytes of a token's key, dealt out to the four lanes of a row.
constexpr int key_piece_elements = 16 / cache_element_bytes;
constexpr int num_key_pieces = variant::head_size / key_piece_elements;
constexpr int key_pieces_per_lane = (num_key_pieces + 3) / 4;

inline bool has_key_piece(Lane lane, int index) {
  return num_key_pieces % 4 == 0 || lane.column + 4 * index < num_key_pieces;
}

}  // namespace kvarium
