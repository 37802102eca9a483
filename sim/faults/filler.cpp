#include "sim/faults/filler.hpp"

#include <span>

#include "core/element_conversion.hpp"

namespace kvarium {
namespace {

/// Earlier contents kept as stored: making them takes far longer than copying them.
constexpr std::int64_t most_kept_bytes = std::int64_t{256} << 20;

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
  const std::pair key(block.layer, block.span.physical_block);
  const auto known = injection.kept_blocks().find(key);
  if (known != injection.kept_blocks().end()) return known->second;
  const CacheGeometry& geometry = injection.target().geometry();
  const auto numbers = static_cast<std::size_t>(geometry.block_size) * static_cast<std::size_t>(geometry.num_kv_heads) *
                       static_cast<std::size_t>(geometry.head_size);
  std::vector<float> keys(numbers), values(numbers);
  if (!earlier->fill({block.layer, block.span.physical_block}, keys.data(), values.data())) {
    injection.refuse("no earlier request held the block");
    return {};
  }
  std::vector<std::uint8_t> cells = encode_block(injection.cache(block.layer), keys, values);
  const bool has_room = std::ssize(injection.kept_blocks()) * std::ssize(cells) < most_kept_bytes;
  if (has_room) injection.kept_blocks().emplace(key, cells);
  return cells;
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
