#pragma once

#include <cstdint>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "core/random.hpp"
#include "sim/block_pool.hpp"
#include "sim/sequence_lengths.hpp"

namespace kvarium {

/// What a batch of sequences looks like.
struct BatchShape {
  std::int64_t num_sequences = 1;
  SequenceLengths lengths = EqualLengths{};
  std::int64_t shared_prefix_length = 0;  ///< tokens all sequences begin with; whole blocks of them are stored once
  int block_size = 16;                    ///< tokens
  double fragmentation = 1.0;             ///< share of physical blocks in random order, 0 to 1
  std::int64_t num_blocks = 0;            ///< of the pool; 0: exactly as many as the batch needs
  std::int32_t vocabulary_size = 32000;   ///< token ids are 0 to vocabulary_size - 1

  bool operator==(const BatchShape&) const = default;
};

/// Sequences with their place in a paged cache.
struct Batch {
  int block_size = 16;
  /// Blocks the cache must have: the pool's size.
  std::int64_t num_blocks = 0;
  std::int64_t num_blocks_used = 0;
  std::vector<std::int32_t> seq_lens;  ///< [num_sequences], tokens
  /// [num_sequences, max_num_blocks_per_sequence]; entries past a sequence's last block are -1 on purpose: kernels must
  /// not follow them.
  BlockTableView block_tables;
  std::vector<std::int64_t>
      token_starts;  ///< [num_sequences + 1]; sequence s has tokens [token_starts[s], token_starts[s+1])
  std::vector<std::int32_t> token_ids;  ///< [num_tokens], sequences one after another
  /// [num_tokens] slot each token is to be written to; -1 where an earlier sequence of the batch writes the shared
  /// block.
  std::vector<std::int64_t> slot_mapping;

  /// Sequences, tokens of all of them, and the longest sequence.
  std::int64_t size() const { return static_cast<std::int64_t>(seq_lens.size()); }
  std::int64_t num_tokens() const { return token_starts.empty() ? 0 : token_starts.back(); }
  std::int64_t max_seq_len() const;
  /// Blocks of one sequence's row of the block table.
  std::int64_t num_sequence_blocks(std::int64_t sequence) const;

  /// Whether all parts fit together: sizes, block ids in range, every used slot written exactly once.
  bool is_complete() const;
};

/// Builds a batch as a serving engine would: sequence by sequence, sharing whole blocks with equal tokens so far.
/// Lengths, token ids and block order are functions of `key` and the shape.
/// Errors: InputError as draw_lengths and BlockPool; for a block_size, vocabulary or prefix that is not positive.
Batch build_batch(const BatchShape& shape, const RandomKey& key);

}  // namespace kvarium
