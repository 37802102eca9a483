#include "kernels/checksums/slice_sum.hpp"

#include "core/check.hpp"
#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/element_rule.hpp"
#include "kernels/checksums/mixed_sum.hpp"

namespace kvarium {
namespace {

constexpr int weighted_piece_width = 8;

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
  return element_rule_sum(layer, row, weighted_piece_width);
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
