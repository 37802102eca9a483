#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/identifiers.hpp"
#include "core/random.hpp"
#include "sim/block_hash.hpp"

namespace kvarium {

/// The physical KV blocks of a cache: who holds them, which can be found by their contents, which are free.
/// A block is in use (referenced), cached (unreferenced, its contents still findable) or empty. Allocation takes
/// empty blocks in the order of the free list (what was released last comes first), then evicts cached blocks, least
/// recently used first.
class BlockPool {
 public:
  /// All blocks empty, in ascending order. Errors: InputError for a negative number or more than int32 ids allow.
  explicit BlockPool(std::int64_t num_blocks);

  std::int64_t size() const { return static_cast<std::int64_t>(blocks_.size()); }
  std::int64_t num_in_use() const { return num_in_use_; }
  std::int64_t num_cached() const { return static_cast<std::int64_t>(least_recently_used_.size()); }
  /// Blocks an allocation could take: empty and cached ones.
  std::int64_t num_free() const { return size() - num_in_use_; }
  /// Cached blocks whose contents were given up so far.
  std::int64_t num_evicted() const { return num_evicted_; }

  /// Takes `count` blocks, each with one reference, all or none.
  /// Errors: InputError that names needed and free when there are too few.
  std::vector<BlockId> allocate(std::int64_t count);

  /// Makes a block findable by its contents. Another block already found by them stays the one found.
  /// Precondition: the block is in use and has no hash yet.
  void remember(BlockId block, BlockHash hash);

  /// The block with these contents, with one more reference; nothing when there is none.
  std::optional<BlockId> share(BlockHash hash);

  /// One more holder. Precondition: the block is in use.
  void add_reference(BlockId block);

  /// One holder less; a block nobody holds becomes cached when it can be found by its contents, else empty.
  /// Precondition: the block is in use.
  void release(BlockId block);

  /// Holders of a block.
  std::int64_t reference_count(BlockId block) const { return at(block).references; }

  /// Whether a writer must copy the block first, because others hold it too.
  bool is_shared(BlockId block) const { return at(block).references > 1; }

  /// Puts this share of the empty blocks (0 to 1) in random order among themselves, so that physical order is
  /// random. Errors: InputError for another fraction.
  void fragment(CounterRandom& random, double fraction);

 private:
  struct Block {
    std::int64_t references = 0;
    std::optional<BlockHash> hash;
    std::list<BlockId>::iterator place;  ///< in least_recently_used_, while cached
  };

  std::size_t index_of(BlockId block) const;
  const Block& at(BlockId block) const { return blocks_[index_of(block)]; }
  Block& at(BlockId block) { return blocks_[index_of(block)]; }
  BlockId take_one();
  BlockId evict();

  std::vector<Block> blocks_;
  std::vector<BlockId> empty_;  ///< the next one to be taken stands last
  std::list<BlockId> least_recently_used_;
  std::unordered_map<BlockHash, BlockId> by_hash_;
  std::int64_t num_in_use_ = 0;
  std::int64_t num_evicted_ = 0;
};

}  // namespace kvarium
