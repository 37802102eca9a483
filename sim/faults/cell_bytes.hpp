#pragma once

#include <cstdint>
#include <vector>

#include "core/paged_cache_view.hpp"

namespace kvarium {

/// Which tensor of a cache; `packed` caches hold both in one allocation.
enum class KvTensor : std::uint8_t { key, value };

/// One byte of a block in cell order: bytes 0.. of a cell are K's elements, then V's, each little-endian.
struct CellByte {
  std::int64_t kv_head = 0;
  std::int64_t token = 0;  ///< in the block
  std::int64_t byte = 0;   ///< of the cell
};

/// A byte in memory: offset from the address of the layer's key or value tensor.
struct MemoryByte {
  KvTensor tensor = KvTensor::key;
  std::int64_t offset = 0;  ///< bytes
};

/// Where a byte of a block's cells lies, in any layout.
MemoryByte locate_byte(const PagedCacheView& cache, std::int64_t block, const CellByte& place);

/// Address of a byte.
inline std::byte* address_of(const PagedCacheView& cache, const MemoryByte& place) {
  return (place.tensor == KvTensor::key ? cache.key : cache.value).data + place.offset;
}

/// The place of byte `index` of an image [num_kv_heads, block_size, cell_bytes].
CellByte cell_byte_at(const CacheGeometry& geometry, std::int64_t index);

/// The inverse of cell_byte_at.
inline std::int64_t cell_index(const CacheGeometry& geometry, const CellByte& byte) {
  return (byte.kv_head * geometry.block_size + byte.token) * cell_bytes(geometry) + byte.byte;
}

/// Calls visit(index, place) for every byte of an image [num_kv_heads, block_size, cell_bytes], in its order.
template <class Visitor>
void for_each_cell_byte(const CacheGeometry& geometry, const Visitor& visit) {
  const std::int64_t bytes = cell_bytes(geometry);
  std::size_t index = 0;
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t token = 0; token < geometry.block_size; ++token) {
      for (std::int64_t byte = 0; byte < bytes; ++byte) visit(index++, CellByte{head, token, byte});
    }
  }
}

/// A block's bytes in cell order, [num_kv_heads, block_size, cell_bytes] uint8, whatever order memory holds them in.
std::vector<std::uint8_t> read_block_cells(const PagedCacheView& cache, std::int64_t block);

}  // namespace kvarium
