#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "sim/faults/block_memory.hpp"
#include "sim/faults/earlier_content.hpp"
#include "sim/faults/fault_change.hpp"

namespace kvarium {

/// A batch's caches as attention reads them. Nothing is owned.
struct AttendedCache {
  std::span<const PagedCacheView> layers;   ///< of one geometry; faults write through them
  BlockTableView block_tables;              ///< [num_sequences, max_num_blocks_per_sequence]
  const std::int32_t* seq_lens = nullptr;   ///< [num_sequences], tokens
  std::int64_t sliding_window = 0;          ///< only the last this many tokens are attended; 0: all
  const EarlierContent* earlier = nullptr;  ///< none: stale contents are not applicable
  /// [layers] views that attention reads through, their scales and element types open to faults; empty: no such faults.
  std::span<PagedCacheView> readers = {};
  std::int32_t* read_lengths = nullptr;  ///< [num_sequences] lengths that attention reads; null: no faults of lengths
};

/// A block by its place in a request.
struct LogicalBlock {
  std::int64_t sequence = 0;
  std::int64_t logical_block = 0;

  bool operator==(const LogicalBlock&) const = default;
};

/// Tokens [first_token, end_token) of a physical block that a sequence attends, counted from the block's start. Where
/// sequences share them, `sequence` and `logical_block` are those of the lowest sequence.
struct AttendedSpan {
  std::int64_t physical_block = 0;
  std::int64_t first_token = 0;
  std::int64_t end_token = 0;
  std::int64_t sequence = 0;
  std::int64_t logical_block = 0;
  std::int64_t num_readers = 1;  ///< block table entries that read some of them

  std::int64_t num_tokens() const { return end_token - first_token; }
};

/// One attended token of a batch: its span and its offset in the block.
struct AttendedToken {
  AttendedSpan span;
  std::int64_t token = 0;
};

/// What faults may strike: a batch's caches with its attended tokens, each physical one counted once. Build it once
/// per batch; it does not change when contents do. The views and memory it was given must outlive it.
class FaultTarget {
 public:
  /// Errors: InputError for no layers, unlike geometries or strides, a sequence longer than its row of the block table,
  /// a negative length, or a block id outside the cache among the attended ones.
  explicit FaultTarget(const AttendedCache& cache);

  std::span<const PagedCacheView> layers() const { return cache_.layers; }
  const CacheGeometry& geometry() const { return cache_.layers.front().geometry; }
  const EarlierContent* earlier() const { return cache_.earlier; }

  /// Attended spans, disjoint, by physical block and first token.
  const std::vector<AttendedSpan>& spans() const { return spans_; }
  /// Attended tokens of one layer, each physical one once.
  std::int64_t num_tokens() const { return token_ends_.empty() ? 0 : token_ends_.back(); }
  /// Attended token number `index`. Precondition: 0 <= index < num_tokens().
  AttendedToken token(std::int64_t index) const;

  /// Whether a sequence attends this token of this block.
  bool is_attended(std::int64_t physical_block, std::int64_t token) const;
  /// Tokens that sequences store in a block, attended or behind their window, from its start on; 0: nobody's block.
  std::int64_t num_stored_tokens(std::int64_t physical_block) const {
    return stored_tokens_[static_cast<std::size_t>(physical_block)];
  }

  /// Attended blocks of all sequences by sequence and logical block; a shared block once for each reader.
  const std::vector<LogicalBlock>& entries() const { return entries_; }
  std::int64_t num_sequences() const { return static_cast<std::int64_t>(cache_.block_tables.extent(0)); }
  /// Tokens and blocks of a sequence.
  std::int64_t length(std::int64_t sequence) const { return cache_.seq_lens[sequence]; }
  std::int64_t num_blocks(std::int64_t sequence) const;
  /// First block that holds attended tokens: 0 without a window.
  std::int64_t first_attended_block(std::int64_t sequence) const;
  /// Block table entries a row has room for.
  std::int64_t table_width() const { return static_cast<std::int64_t>(cache_.block_tables.extent(1)); }

  /// The physical block that the table names; faults write it.
  std::int64_t table_entry(const LogicalBlock& block) const {
    return cache_.block_tables(block.sequence, block.logical_block);
  }
  void set_table_entry(const LogicalBlock& block, std::int32_t physical_block) const {
    cache_.block_tables(block.sequence, block.logical_block) = physical_block;
  }

  /// Whether faults may change what readers believe of lengths, or of scales and types.
  bool has_read_lengths() const { return cache_.read_lengths != nullptr; }
  bool has_readers() const { return !cache_.readers.empty(); }
  /// What readers believe of a sequence or layer. Errors: InputError for a quantity this target does not have.
  double reading(ReadQuantity quantity, std::int64_t index) const;
  void set_reading(ReadQuantity quantity, std::int64_t index, double value) const;

  /// The order in which memory holds a block.
  const BlockMemory& block_memory() const { return block_memory_; }

 private:
  void check_reading(ReadQuantity quantity, std::int64_t index) const;

  AttendedCache cache_;
  BlockMemory block_memory_;
  std::vector<AttendedSpan> spans_;
  std::vector<std::int64_t> token_ends_;     ///< [spans_.size()], running count of tokens
  std::vector<LogicalBlock> entries_;        ///< attended
  std::vector<std::int64_t> stored_tokens_;  ///< [num_blocks]
};

}  // namespace kvarium
