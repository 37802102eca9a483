#include "kernels/checksums/element_rule.hpp"

#include <algorithm>
#include <cstring>


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

/// One (head, element): the same element of every token, whose weights are linear in the token. `Part` is the element
/// or, when pieces are narrower, one piece of it.
template <class Part>
std::uint64_t element_sum(const HalfCells& half, std::int64_t head, int e) {
  const int bytes = element_bytes(half.geometry->element_type);
  const auto pieces = static_cast<std::uint64_t>(cell_bytes(*half.geometry) / half.piece_width);
  const std::int64_t stride = half.tensor->strides.token * bytes;
  const std::byte* data = half.tensor->data + half.tensor->strides.offset(half.row.block, head, 0, e) * bytes;
  std::uint64_t sum = 0;
  for (int offset = 0; offset < bytes; offset += int{sizeof(Part)}) {
    const std::int64_t byte = half.first_byte + std::int64_t{e} * bytes + offset;
    const std::uint64_t position = static_cast<std::uint64_t>(half.row.first_token) * pieces +
                                   static_cast<std::uint64_t>(byte / half.piece_width);
    std::uint64_t weighted = 0;
    for (std::int64_t token = 0; token < half.row.valid_tokens; ++token) {
      Part part;
      std::memcpy(&part, data + token * stride + offset, sizeof(part));
      weighted += (2 * (position + static_cast<std::uint64_t>(token) * pieces) + 1) * std::uint64_t{part};
    }
    sum += weighted << (8 * (byte % half.piece_width));
  }
  return sum;
}

template <class Part>
std::uint64_t head_sum(const HalfCells& half, std::int64_t head) {
  std::uint64_t sum = 0;
  for (int e = 0; e < half.geometry->head_size; ++e) sum += element_sum<Part>(half, head, e);
  return sum;
}

std::uint64_t head_sum(const HalfCells& half, std::int64_t head) {
  switch (std::min(element_bytes(half.geometry->element_type), half.piece_width)) {
    case 1: return head_sum<std::uint8_t>(half, head);
    case 2: return head_sum<std::uint16_t>(half, head);
    default: return head_sum<std::uint32_t>(half, head);
  }
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
