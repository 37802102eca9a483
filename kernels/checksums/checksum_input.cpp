#include "kernels/checksums/checksum_input.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

/// Twice a position must still be an int64.
constexpr std::int64_t largest_position = std::int64_t{1} << 61;

void validate_rows(const CacheLayer& layer, const ChecksumRows& rows) {
  const std::int64_t num_blocks = layer.cache.geometry.num_blocks;
  for (std::int64_t row = 0; row < rows.num_rows; ++row) {
    KVARIUM_VALIDATE(rows.block_ids[row] >= 0 && rows.block_ids[row] < num_blocks, "block_ids[", row, "] is ",
                     rows.block_ids[row], "; use 0 to ", num_blocks - 1, " (num_blocks - 1)");
    KVARIUM_VALIDATE(rows.first_tokens[row] >= 0 && rows.first_tokens[row] <= largest_position, "first_tokens[", row,
                     "] is ", rows.first_tokens[row], "; use 0 to 2^61");
  }
}

void validate_layer(const CacheLayer& layer, int piece_width) {
  KVARIUM_VALIDATE(piece_width == 1 || piece_width == 2 || piece_width == 4 || piece_width == 8, "piece width is ",
                   piece_width, " bytes; use 1, 2, 4 or 8");
  const CacheGeometry& geometry = layer.cache.geometry;
  KVARIUM_VALIDATE(layer.layer >= 0 && layer.layer <= largest_summed_layer, "layer is ", layer.layer,
                   "; use 0 to 2^44");
  KVARIUM_VALIDATE(layer.first_head >= 0, "first_head is ", layer.first_head, "; use 0 or more");
  KVARIUM_VALIDATE(layer.first_head <= heads_per_layer_weight - geometry.num_kv_heads, "first_head ", layer.first_head,
                   " and the ", geometry.num_kv_heads, " heads from it on pass 65535, the last head a layer has");
}

}  // namespace

void validate_checksum_layer(const CacheLayer& layer, const ChecksumRows& rows, int piece_width) {
  validate_layer(layer, piece_width);
  validate_rows(layer, rows);
}

}  // namespace kvarium
