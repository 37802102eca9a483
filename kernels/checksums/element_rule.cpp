#include "kernels/checksums/element_rule.hpp"

#include <algorithm>
#include <cstring>

#include "core/element_conversion.hpp"

namespace kvarium {
namespace {

/// One tensor (K or V) of a row.
struct HalfCells {
  const CacheTensor* tensor = nullptr;
  const CacheGeometry* geometry = nullptr;
  BlockRow row;
  std::int64_t first_byte = 0;  ///< of the half within the cell
  int piece_width = 8;
};

/// A part of an element that lies in one piece.
struct Part {
  std::uint64_t value = 0;
  std::int64_t piece = 0;
};

/// The element itself, or (when a piece is narrower) its `index`-th piece, shifted to its place in the piece.
Part element_part(std::uint64_t bits, int bytes, std::int64_t first_byte, int piece_width, int index) {
  const std::int64_t byte = first_byte + std::int64_t{index} * piece_width;
  if (piece_width >= bytes) return {bits << (8 * (byte % piece_width)), byte / piece_width};
  const std::uint64_t mask = (std::uint64_t{1} << (8 * piece_width)) - 1;
  return {(bits >> (8 * piece_width * index)) & mask, byte / piece_width};
}

/// Sum over tokens of one element index of one head. Weights are linear in the token, so two sums are enough.
std::uint64_t element_sum(const HalfCells& half, std::int64_t head, int e) {
  const int bytes = element_bytes(half.geometry->element_type);
  const std::int64_t pieces = cell_bytes(*half.geometry) / half.piece_width;
  const int parts = std::max(1, bytes / half.piece_width);
  std::uint64_t sum = 0;
  for (std::int64_t token = 0; token < half.row.valid_tokens; ++token) {
    const std::int64_t offset = half.tensor->strides.offset(half.row.block, head, token, e);
    const std::uint64_t bits = load_element_bits(half.tensor->data, offset, half.geometry->element_type);
    for (int index = 0; index < parts; ++index) {
      const Part part = element_part(bits, bytes, half.first_byte + std::int64_t{e} * bytes, half.piece_width, index);
      const std::uint64_t position = static_cast<std::uint64_t>(half.row.first_token + token) *
                                         static_cast<std::uint64_t>(pieces) + static_cast<std::uint64_t>(part.piece);
      sum += (2 * position + 1) * part.value;
    }
  }
  return sum;
}

std::uint64_t head_sum(const HalfCells& half, std::int64_t head) {
  std::uint64_t sum = 0;
  for (int e = 0; e < half.geometry->head_size; ++e) sum += element_sum(half, head, e);
  return sum;
}

}  // namespace

std::uint64_t element_rule_sum(const CacheLayer& layer, const BlockRow& row, int piece_width) {
  const CacheGeometry& geometry = layer.cache.geometry;
  BlockRow clamped = row;
  clamped.valid_tokens = std::clamp<std::int64_t>(row.valid_tokens, 0, geometry.block_size);
  const HalfCells key{&layer.cache.key, &geometry, clamped, 0, piece_width};
  const HalfCells value{&layer.cache.value, &geometry, clamped, cell_bytes(geometry) / 2, piece_width};
  const std::int64_t first_head = layer.layer * heads_per_layer_weight + layer.first_head;
  std::uint64_t sum = 0;
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    sum += static_cast<std::uint64_t>(2 * (first_head + head) + 1) * (head_sum(key, head) + head_sum(value, head));
  }
  return sum;
}

}  // namespace kvarium
