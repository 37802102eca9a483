#include "sim/faults/cell_bytes.hpp"

namespace kvarium {
namespace {

/// One token of one KV head in a block.
struct CellRow {
  std::int64_t block = 0;
  std::int64_t kv_head = 0;
  std::int64_t token = 0;
};

void append_row(const CacheTensor& tensor, const CacheGeometry& geometry, const CellRow& row,
                std::vector<std::uint8_t>& cells) {
  const int bytes = element_bytes(geometry.element_type);
  const CacheStrides& strides = tensor.strides;
  if (strides.element == 1 && strides.group_size >= geometry.head_size) {
    const std::byte* start = tensor.data + strides.offset(row.block, row.kv_head, row.token, 0) * bytes;
    const auto* first = reinterpret_cast<const std::uint8_t*>(start);
    cells.insert(cells.end(), first, first + geometry.head_size * bytes);
    return;
  }
  for (std::int64_t element = 0; element < geometry.head_size; ++element) {
    const std::int64_t offset = tensor.strides.offset(row.block, row.kv_head, row.token, element);
    const std::byte* address = tensor.data + offset * bytes;
    for (int byte = 0; byte < bytes; ++byte) cells.push_back(std::to_integer<std::uint8_t>(address[byte]));
  }
}

}  // namespace

MemoryByte locate_byte(const PagedCacheView& cache, std::int64_t block, const CellByte& place) {
  const std::int64_t element_size = element_bytes(cache.geometry.element_type);
  const std::int64_t half = cell_bytes(cache.geometry) / 2;
  const bool is_key = place.byte < half;
  const std::int64_t byte = is_key ? place.byte : place.byte - half;
  const CacheStrides& strides = (is_key ? cache.key : cache.value).strides;
  const std::int64_t element = strides.offset(block, place.kv_head, place.token, byte / element_size);
  return {is_key ? KvTensor::key : KvTensor::value, element * element_size + byte % element_size};
}

CellByte cell_byte_at(const CacheGeometry& geometry, std::int64_t index) {
  const std::int64_t bytes = cell_bytes(geometry);
  const std::int64_t row = index / bytes;
  return {row / geometry.block_size, row % geometry.block_size, index % bytes};
}

std::vector<std::uint8_t> read_block_cells(const PagedCacheView& cache, std::int64_t block) {
  const CacheGeometry& geometry = cache.geometry;
  std::vector<std::uint8_t> cells;
  cells.reserve(static_cast<std::size_t>(geometry.num_kv_heads) * static_cast<std::size_t>(geometry.block_size) *
                static_cast<std::size_t>(cell_bytes(geometry)));
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t token = 0; token < geometry.block_size; ++token) {
      append_row(cache.key, geometry, {block, head, token}, cells);
      append_row(cache.value, geometry, {block, head, token}, cells);
    }
  }
  return cells;
}

}  // namespace kvarium
