#pragma once

#include <cstdint>
#include <vector>

#include "experiments/kinds/content_source.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "sim/batch.hpp"

namespace kvarium {

/// One (physical block, position in its request) that a batch stores, for checksums: a shared block counts once.
struct StoredBlocks {
  std::vector<std::int64_t> block_ids;
  std::vector<std::int64_t> first_tokens;  ///< position in the request of the block's first token
  std::vector<std::int64_t> valid_tokens;
  std::vector<std::int64_t> token_ids;  ///< [blocks, block_size], 0 past the valid tokens

  /// The rows as checksums take them; valid as long as this lives.
  ChecksumRows rows() const;
};

/// A batch with its caches filled and its queries at hand: the state a decode step finds.
class DecodeScenario {
 public:
  /// Errors: InputError for contents that do not fit the point.
  DecodeScenario(const PointConfig& point, const RandomKey& key);

  /// Sequences, block tables and slots.
  const Batch& batch() const { return batch_; }
  /// Where the contents come from.
  const KvContentSource& source() const { return *contents_.source; }
  /// The filled caches, one a layer.
  const std::vector<PagedCacheView>& views() const { return views_; }
  /// Bytes of K and V in all layers that a decode step of the batch reads at least once.
  std::int64_t kv_bytes() const;

  /// As many copies of all layers' caches (the originals first) as make up `bytes`, so that timed runs that walk
  /// through them find none of their data in a processor's caches. [num_copies][num_layers]
  std::vector<std::vector<PagedKvCache>> working_set(std::int64_t bytes) const;

  /// Arguments of one layer's attention over the whole batch; out and lse are the caller's.
  PagedAttentionArguments arguments(std::int64_t layer) const;
  /// Bytes of one layer's output.
  std::size_t output_bytes() const;

  /// All layers as checksums take them, numbered from 0.
  std::vector<CacheLayer> checksum_layers() const;
  /// Each block that the batch stores, once.
  StoredBlocks stored_blocks() const;

 private:
  void write_sequence(std::int64_t layer, std::int64_t sequence);
  void write_queries(std::int64_t layer);
  void choose_scales(std::int64_t layer);

  PointConfig point_;
  PointContents contents_;
  Batch batch_;
  std::vector<PagedKvCache> caches_;  ///< one a layer
  std::vector<PagedCacheView> views_;
  std::vector<std::vector<std::byte>> queries_;  ///< one a layer, [num_sequences, num_heads, head_size] of query_type
  std::vector<float> alibi_slopes_, sinks_;      ///< [num_heads], empty when off
};

}  // namespace kvarium
