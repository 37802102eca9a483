#pragma once

#include <cstdint>
#include <vector>

#include "core/cache_geometry.hpp"
#include "sim/faults/cell_bytes.hpp"
#include "sim/transfer/transfer_shape.hpp"

namespace kvarium {

/// A byte of an engine's memory: offset in the storage of one cache of one rank.
struct MemoryPlace {
  std::int64_t shard = 0;   ///< pipeline rank * tensor ranks + tensor rank
  std::int64_t buffer = 0;  ///< cache within the rank
  std::int64_t offset = 0;  ///< bytes

  bool operator==(const MemoryPlace&) const = default;
};

/// An element by what it means.
struct ElementPlace {
  std::int64_t layer = 0;
  KvTensor tensor = KvTensor::key;
  std::int64_t head = 0;   ///< of the model
  std::int64_t block = 0;  ///< physical
  std::int64_t token = 0;  ///< of the block
  std::int64_t element = 0;
};

/// Cache that stores a layer's K or V.
struct LayerBuffer {
  std::int64_t pipeline_rank = 0;
  std::int64_t index = 0;
};

/// Where somebody looks for the bytes of an engine's caches. The engine's own is right; a connector keeps another one,
/// which defects get wrong.
struct CacheAddressing {
  CacheGeometry geometry;  ///< of one rank's caches
  CacheStrides key;
  CacheStrides value;
  std::int64_t key_base = 0;  ///< bytes from the start of a cache's storage
  std::int64_t value_base = 0;
  int tensor_ranks = 1;
  std::vector<LayerBuffer> key_buffers;    ///< [num_layers]
  std::vector<LayerBuffer> value_buffers;  ///< [num_layers]
  std::vector<std::int64_t> head_slots;    ///< [num_kv_heads] tensor rank * heads of a rank + head of the rank

  MemoryPlace place(const ElementPlace& element) const;
};

/// The addressing of an engine with `num_blocks` blocks, K before V in each cache's storage.
CacheAddressing cache_addressing(const EngineShape& engine, const TransferShape& shape, std::int64_t num_blocks);

/// Lets an addressing take its strides and bases from another layout of the same memory.
void assume_layout(CacheAddressing& addressing, CacheLayout layout);

}  // namespace kvarium
