#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "sim/faults/earlier_content.hpp"

namespace kvarium {

/// A batch's caches as attention reads them. Nothing is owned.
struct AttendedCache {
  std::span<const PagedCacheView> layers;   ///< of one geometry; faults write through them
  BlockTableView block_tables;              ///< [num_sequences, max_num_blocks_per_sequence]
  const std::int32_t* seq_lens = nullptr;   ///< [num_sequences], tokens
  std::int64_t sliding_window = 0;          ///< only the last this many tokens are attended; 0: all
  const EarlierContent* earlier = nullptr;  ///< none: stale contents are not applicable
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
  /// Errors: InputError for no layers, unlike geometries, a sequence longer than its row of the block table, a negative
  /// length, or a block id outside the cache among the attended ones.
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

 private:
  AttendedCache cache_;
  std::vector<AttendedSpan> spans_;
  std::vector<std::int64_t> token_ends_;  ///< [spans_.size()], running count of tokens
};

}  // namespace kvarium
