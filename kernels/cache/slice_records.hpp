#pragma once

#include "kernels/cache/cache_operations.hpp"
#include "kernels/checksums/slice_sum.hpp"
#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// Records of what a layer's cache holds, which verified attention reads (attention/verification.hpp): by sequence and
/// logical block, the checksum (positions in the request) of each KV head's first `covered_tokens` cells.
struct SliceRecords {
  std::uint64_t* expected = nullptr;       ///< [num_sequences, max_num_blocks_per_sequence, num_kv_heads]
  std::int32_t* covered_tokens = nullptr;  ///< [num_sequences, max_num_blocks_per_sequence]
  std::int64_t num_sequences = 0;
  std::int64_t max_num_blocks_per_sequence = 0;
  std::int64_t layer = 0;       ///< global number of the cache's layer
  std::int64_t first_head = 0;  ///< global number of the cache's first KV head
  SliceSum sum;                 ///< checksum of a slice's cells
};

/// A batch as attention takes it: block_tables [num_sequences, max_num_blocks_per_sequence], seq_lens [num_sequences].
struct StoredSequences {
  const std::int32_t* block_tables = nullptr;
  const std::int32_t* seq_lens = nullptr;
};

/// Where new tokens stand: sequences [num_tokens] index the records, positions [num_tokens] count from the request's
/// first token.
struct TokenPlaces {
  const std::int32_t* sequences = nullptr;
  const std::int64_t* positions = nullptr;
};

/// Checks that there is a checksum and that the numbers of layer and heads have weights. Errors: InputError.
void validate_records(const PagedCacheView& cache, const SliceRecords& records);

/// Records every block of the batch as it is stored now. A block id outside the cache gets no record (covered 0).
/// Errors: InputError for a length that its row does not hold, or numbers of layer and heads without weights.
void record_blocks(const PagedCacheView& cache, const StoredSequences& batch, const SliceRecords& records);

/// write_cache that keeps the records up to date: each token that is not padding adds its cell to its slice. Tokens of
/// a block come in order and once; where a logical block begins anew (another request in the same row), its record must
/// have been zeroed. Errors: those of write_cache; InputError for a place outside the records or out of order, before
/// anything is written.
void write_cache(const NewTokens& tokens, const PagedCacheView& cache, const TokenPlaces& places,
                 const SliceRecords& records);

// The same on device memory: every pointer and array is the device's, work is put on `stream`, nothing is allocated and
// nothing waits. Places outside the records add nothing; that tokens come in order and once is the caller's part.
// Errors: InputError for fp8 scales or numbers of layer and heads, NotConfigured, DriverError.

void record_blocks_on_device(const PagedCacheView& cache, const StoredSequences& batch, const SliceRecords& records,
                             void* stream = nullptr);
void write_cache_on_device(const NewTokens& tokens, const PagedCacheView& cache, const TokenPlaces& places,
                           const SliceRecords& records, void* stream = nullptr);

/// The device source for such caches and records, for tests that compile it.
KernelSource slice_records_source(const CacheGeometry& geometry, SliceChecksum checksum);

}  // namespace kvarium
