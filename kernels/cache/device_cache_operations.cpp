#include "kernels/cache/device_cache_operations.hpp"

#include <limits>

#include "kernels/cache/cuda/copy_launch.hpp"
#include "kernels/cache/dense_rows.hpp"

namespace kvarium {
namespace {

CopySide cache_side(const PagedCacheView& cache, const DeviceSlots& slots) {
  const CacheGeometry& geometry = cache.geometry;
  CopySide side{geometry.element_type, geometry.block_size, cache.key, cache.value, {}};
  side.cells.ids = reinterpret_cast<const long long*>(slots.slots);
  side.cells.id_stride = 1;
  side.cells.tokens_per_id = 1;
  side.cells.num_cells = geometry.num_blocks * geometry.block_size;
  return side;
}

/// Rows [num_rows, num_kv_heads, head_size] one after another.
CopySide dense_side(const void* key, const void* value, ElementType type, const CacheGeometry& geometry) {
  // The copy never writes to its source.
  const auto tensor = [&](const void* data) { return dense_rows(const_cast<void*>(data), geometry); };
  CopySide side{type, 0, tensor(key), tensor(value), {}};
  side.cells.tokens_per_id = 1;
  side.cells.num_cells = std::numeric_limits<long long>::max();
  return side;
}

/// A cache whose rows are the tokens of the blocks that every other id of a list of pairs names.
CopySide block_side(const PagedCacheView& cache, const std::int64_t* ids) {
  CopySide side = cache_side(cache, {ids, 0});
  side.cells.id_stride = 2;
  side.cells.tokens_per_id = cache.geometry.block_size;
  return side;
}

}  // namespace

void write_cache_on_device(const NewTokens& tokens, const PagedCacheView& cache, void* stream) {
  validate_scales(cache);
  CellCopy copy{dense_side(tokens.key, tokens.value, tokens.element_type, cache.geometry),
                cache_side(cache, {tokens.slot_mapping, tokens.num_tokens}), tokens.num_tokens,
                cache.geometry.num_kv_heads, cache.geometry.head_size};
  if (is_float8(cache.geometry.element_type)) {
    copy.key_scale = cache.key_scale;
    copy.value_scale = cache.value_scale;
  }
  launch_copy(copy, stream);
}

void copy_blocks_on_device(const PagedCacheView& source, const PagedCacheView& destination, const BlockCopy* copies,
                           std::int64_t num_copies, void* stream) {
  validate_alike(source, destination);
  static_assert(sizeof(BlockCopy) == 2 * sizeof(std::int64_t));
  const auto* ids = reinterpret_cast<const std::int64_t*>(copies);
  launch_copy({block_side(source, ids), block_side(destination, ids + 1), num_copies * source.geometry.block_size,
               source.geometry.num_kv_heads, source.geometry.head_size},
              stream);
}

void gather_cells_on_device(const PagedCacheView& cache, const DeviceSlots& slots, const DenseCells& cells,
                            void* stream) {
  const CacheGeometry& geometry = cache.geometry;
  launch_copy({cache_side(cache, slots), dense_side(cells.key, cells.value, geometry.element_type, geometry),
               slots.num_slots, geometry.num_kv_heads, geometry.head_size},
              stream);
}

void scatter_cells_on_device(const DenseCells& cells, const DeviceSlots& slots, const PagedCacheView& cache,
                             void* stream) {
  const CacheGeometry& geometry = cache.geometry;
  launch_copy({dense_side(cells.key, cells.value, geometry.element_type, geometry), cache_side(cache, slots),
               slots.num_slots, geometry.num_kv_heads, geometry.head_size},
              stream);
}

}  // namespace kvarium
