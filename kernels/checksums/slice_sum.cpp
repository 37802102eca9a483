#include "kernels/checksums/slice_sum.hpp"

#include <cstring>

#include "core/check.hpp"
#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/element_rule.hpp"
#include "kernels/checksums/mixed_sum.hpp"

namespace kvarium {
namespace {

constexpr int weighted_piece_width = 8;

/// Cell by cell. Faster than the element rule by a multiple where a token's elements lie side by side.
std::uint64_t weighted_row_sum(const CacheLayer& layer, const BlockRow& row) {
  std::uint64_t sum = 0;
  for_each_cell({layer}, row, [&](const Cell& cell) {
    const auto pieces = cell.bytes.size() / weighted_piece_width;
    const auto first_piece = static_cast<std::uint64_t>(row.first_token + cell.token) * pieces;
    std::uint64_t weighted = 0;
    for (std::size_t i = 0; i < pieces; ++i) {
      std::uint64_t piece;
      std::memcpy(&piece, &cell.bytes[i * weighted_piece_width], sizeof(piece));
      weighted += (2 * (first_piece + i) + 1) * piece;
    }
    const std::int64_t head = layer.layer * heads_per_layer_weight + layer.first_head + cell.head;
    sum += (2 * static_cast<std::uint64_t>(head) + 1) * weighted;
  });
  return sum;
}

std::uint64_t mixed_row_sum(const CacheLayer& layer, const BlockRow& row, std::uint64_t seed) {
  const MixedKeys keys(seed);
  std::uint64_t sum = 0;
  for_each_cell({layer}, row, [&](const Cell& cell) {
    sum += mixed_cell_sum(keys.cell(layer, cell.head, row.first_token + cell.token), cell.bytes);
  });
  return sum;
}

}  // namespace

std::uint64_t SliceSum::operator()(const CacheLayer& layer, const BlockRow& row) const {
  KVARIUM_EXPECT(checksum != SliceChecksum::none);
  if (checksum == SliceChecksum::mixed_sum) return mixed_row_sum(layer, row, seed);
  if (layer.cache.geometry.layout == CacheLayout::split_x) return element_rule_sum(layer, row, weighted_piece_width);
  return weighted_row_sum(layer, row);
}

CacheLayer one_head(const CacheLayer& layer, std::int64_t head) {
  CacheLayer one = layer;
  one.cache.geometry.num_kv_heads = 1;
  const std::int64_t element = element_bytes(layer.cache.geometry.element_type);
  one.cache.key.data += head * layer.cache.key.strides.kv_head * element;
  one.cache.value.data += head * layer.cache.value.strides.kv_head * element;
  one.first_head += head;
  return one;
}

}  // namespace kvarium
