#pragma once

#include <cstdint>
#include <vector>

#include "sim/faults/cell_bytes.hpp"

namespace kvarium {

/// The order in which memory holds a block's bytes: place p of a block is its p-th byte by address, K's tensor before
/// V's (in `packed`, where they share one, as they lie). Hardware and transfers damage neighbours in this order, which
/// is that of cells in no layout but `packed`. The same for every block and layer of equal strides.
class BlockMemory {
 public:
  explicit BlockMemory(const PagedCacheView& cache);

  /// Bytes of a block.
  std::int64_t size() const { return static_cast<std::int64_t>(cells_.size()); }
  /// The byte of a cell at a place. Precondition: 0 <= place < size().
  CellByte cell_at(std::int64_t place) const;
  /// The byte of a cell as memory holds it in a block: the same as locate_byte, from a table.
  MemoryByte locate(std::int64_t block, std::size_t cell_index, KvTensor tensor) const {
    const std::int64_t stride = tensor == KvTensor::key ? key_block_bytes_ : value_block_bytes_;
    return {tensor, block * stride + offsets_[cell_index]};
  }
  /// Where a byte of a cell lies.
  std::int64_t place_of(const CellByte& byte) const;

 private:
  CacheGeometry geometry_;
  std::int64_t key_block_bytes_ = 0, value_block_bytes_ = 0;  ///< from one block to the next
  std::vector<std::int64_t> offsets_;  ///< [size], in bytes from the tensor's block 0, by index in an image
  std::vector<std::int32_t> cells_;    ///< [size], index in an image [num_kv_heads, block_size, cell_bytes] by place
  std::vector<std::int32_t> places_;   ///< [size], the inverse
};

}  // namespace kvarium
