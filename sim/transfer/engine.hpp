#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "core/random.hpp"
#include "sim/block_pool.hpp"
#include "sim/transfer/cache_addressing.hpp"
#include "sim/transfer/descriptor.hpp"

namespace kvarium {

/// The caches of one rank, with the bytes that transfers brought since their blocks were allocated.
struct EngineShard {
  std::int64_t first_layer = 0;
  std::int64_t first_head = 0;
  std::vector<PagedKvCache> caches;                ///< one a layer
  std::vector<std::vector<std::uint8_t>> arrived;  ///< [caches][bytes of storage], 1: written by a transfer
};

/// Words that stand beside the slots of an engine and move with them, for one checksum.
struct SlotRecords {
  std::int64_t words_per_slot = 0;
  std::vector<std::uint64_t> words;  ///< [num_blocks * block_size, words_per_slot]
};

/// A cell of an engine: physical block and offset.
struct EngineCell {
  std::int64_t layer = 0;
  std::int64_t head = 0;  ///< of the model
  std::int64_t block = 0;
  std::int64_t token = 0;  ///< of the block
};

/// One engine's memory: the caches of its ranks, one pool of block numbers for all of them, block tables.
class Engine {
 public:
  Engine(const EngineShape& engine, const TransferShape& shape, std::int64_t num_blocks);

  std::int64_t block_size() const { return addressing_.geometry.block_size; }
  std::int64_t num_blocks() const { return addressing_.geometry.num_blocks; }
  /// Blocks that a request of so many tokens needs.
  std::int64_t blocks_of(std::int64_t num_tokens) const;
  /// Where its bytes are.
  const CacheAddressing& addressing() const { return addressing_; }

  BlockPool& pool() { return pool_; }
  /// Block table of a request as the engine's scheduler keeps it; empty: none.
  std::vector<BlockId>& table(RequestRole request) { return tables_[static_cast<std::size_t>(request)]; }
  const std::vector<BlockId>& table(RequestRole request) const { return tables_[static_cast<std::size_t>(request)]; }

  std::vector<EngineShard>& shards() { return shards_; }
  const std::vector<EngineShard>& shards() const { return shards_; }
  std::vector<SlotRecords>& slot_records() { return slot_records_; }
  const std::vector<SlotRecords>& slot_records() const { return slot_records_; }

  /// Writes or reads a cell's bytes [cell_bytes], K before V, through the engine's own addressing.
  void write_cell(const EngineCell& cell, const std::byte* bytes);
  void read_cell(const EngineCell& cell, std::byte* bytes) const;

  /// The storage that a place lies in.
  const ByteView& storage(const MemoryPlace& place) const;
  /// Whether `bytes` from a place on lie in the engine's memory.
  bool contains(const MemoryPlace& place, std::int64_t bytes) const;
  /// Forgets which bytes of a block arrived.
  void forget_arrivals(BlockId block);
  void mark_arrival(const MemoryPlace& place, std::int64_t bytes);
  /// Whether every byte of a cell arrived.
  bool has_arrived(const EngineCell& cell) const;

 private:
  template <class Visitor>
  void for_each_element(const EngineCell& cell, const Visitor& visit) const;

  CacheAddressing addressing_;
  BlockPool pool_;
  std::vector<EngineShard> shards_;
  std::vector<SlotRecords> slot_records_;
  std::array<std::vector<BlockId>, num_request_roles> tables_;
};

}  // namespace kvarium
