#include "sim/faults/block_memory.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace kvarium {

BlockMemory::BlockMemory(const PagedCacheView& cache)
    : geometry_(cache.geometry),
      key_block_bytes_(cache.key.strides.block * element_bytes(cache.geometry.element_type)),
      value_block_bytes_(cache.value.strides.block * element_bytes(cache.geometry.element_type)) {
  const std::int64_t size =
      std::int64_t{geometry_.num_kv_heads} * geometry_.block_size * std::int64_t{cell_bytes(geometry_)};
  KVARIUM_VALIDATE(size <= std::numeric_limits<std::int32_t>::max(), "a block of ", size,
                   " bytes is too large for faults; use fewer KV heads or smaller blocks");
  // `packed` interleaves K and V of one tensor; elsewhere V's addresses stand behind all of K's.
  const std::int64_t value_start = geometry_.layout == CacheLayout::packed
                                       ? cache.value.data - cache.key.data
                                       : std::numeric_limits<std::int64_t>::max() / 2;
  std::vector<std::int64_t> addresses(static_cast<std::size_t>(size));
  offsets_.resize(addresses.size());
  for_each_cell_byte(geometry_, [&](std::size_t index, const CellByte& place) {
    const MemoryByte byte = locate_byte(cache, 0, place);
    offsets_[index] = byte.offset;
    addresses[index] = byte.offset + (byte.tensor == KvTensor::value ? value_start : 0);
  });
  cells_.resize(addresses.size());
  std::iota(cells_.begin(), cells_.end(), 0);
  std::ranges::sort(cells_, {}, [&](std::int32_t index) { return addresses[static_cast<std::size_t>(index)]; });
  places_.resize(cells_.size());
  for (std::size_t place = 0; place < cells_.size(); ++place) {
    places_[static_cast<std::size_t>(cells_[place])] = static_cast<std::int32_t>(place);
  }
}

CellByte BlockMemory::cell_at(std::int64_t place) const {
  return cell_byte_at(geometry_, cells_[static_cast<std::size_t>(place)]);
}

std::int64_t BlockMemory::place_of(const CellByte& byte) const {
  const std::int64_t row = byte.kv_head * geometry_.block_size + byte.token;
  return places_[static_cast<std::size_t>(row * cell_bytes(geometry_) + byte.byte)];
}

}  // namespace kvarium
