#include "sim/faults/filler.hpp"

#include <span>

#include "core/element_conversion.hpp"

namespace kvarium {
namespace {

/// Appends one row of a cell, rounded as cache writes round it: fp8 stores element / scale.
void append_row(std::span<const float> row, ElementType type, float scale, std::vector<std::uint8_t>& cells) {
  for (const float number : row) {
    const std::uint32_t bits = encode_element(is_float8(type) ? number / scale : number, type);
    for (int byte = 0; byte < element_bytes(type); ++byte) {
      cells.push_back(static_cast<std::uint8_t>(bits >> (8 * byte)));
    }
  }
}

/// Key and value [block_size, num_kv_heads, head_size] as stored, [num_kv_heads, block_size, cell_bytes].
std::vector<std::uint8_t> encode_block(const PagedCacheView& cache, std::span<const float> key,
                                       std::span<const float> value) {
  const CacheGeometry& geometry = cache.geometry;
  const auto size = static_cast<std::size_t>(geometry.head_size);
  std::vector<std::uint8_t> cells;
  cells.reserve(2 * key.size() * static_cast<std::size_t>(element_bytes(geometry.element_type)));
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t token = 0; token < geometry.block_size; ++token) {
      const auto first = static_cast<std::size_t>(token * geometry.num_kv_heads + head) * size;
      append_row(key.subspan(first, size), geometry.element_type, cache.key_scale, cells);
      append_row(value.subspan(first, size), geometry.element_type, cache.value_scale, cells);
    }
  }
  return cells;
}

}  // namespace

std::vector<std::uint8_t> earlier_cells(Injection& injection, const StruckBlock& block) {
  const EarlierContent* earlier = injection.target().earlier();
  if (earlier == nullptr) {
    injection.refuse("no earlier contents are known");
    return {};
  }
  const CacheGeometry& geometry = injection.target().geometry();
  const auto numbers = static_cast<std::size_t>(geometry.block_size) * static_cast<std::size_t>(geometry.num_kv_heads) *
                       static_cast<std::size_t>(geometry.head_size);
  std::vector<float> key(numbers), value(numbers);
  if (!earlier->fill({block.layer, block.span.physical_block}, key.data(), value.data())) {
    injection.refuse("no earlier request held the block");
    return {};
  }
  return encode_block(injection.cache(block.layer), key, value);
}

std::vector<std::uint8_t> filler_cells(Injection& injection, const StruckBlock& block, const std::string& filler) {
  if (filler == "earlier") return earlier_cells(injection, block);
  return std::vector<std::uint8_t>(static_cast<std::size_t>(injection.target().block_memory().size()), 0);
}

void copy_place(Injection& injection, const StruckBlock& block, std::int64_t place,
                const std::vector<std::uint8_t>& cells) {
  const CellByte byte = injection.target().block_memory().cell_at(place);
  injection.change(block, byte, cells[static_cast<std::size_t>(cell_index(injection.target().geometry(), byte))]);
}

}  // namespace kvarium
