#pragma once

namespace kvarium {

/// Strides of K or V in elements; see core's CacheStrides.
struct RecordedStrides {
  long long block, kv_head, token, group;
};

/// Arguments of the kernels that record slices; trivially copyable, read by the host's compiler and by the device's.
struct SliceRecordsParameters {
  const void* key;
  const void* value;
  RecordedStrides key_strides;
  RecordedStrides value_strides;
  long long num_blocks;
  int num_kv_heads;

  unsigned long long* expected;  ///< [num_sequences, max_num_blocks_per_sequence, num_kv_heads]
  int* covered_tokens;           ///< [num_sequences, max_num_blocks_per_sequence]
  long long num_sequences;
  long long max_num_blocks_per_sequence;
  long long first_head;  ///< layer * 65536 + global number of the cache's first KV head

  const int* block_tables;     ///< record_blocks: [num_sequences, max_num_blocks_per_sequence]
  const int* seq_lens;         ///< record_blocks: [num_sequences]
  const long long* slots;      ///< record_tokens: [num_tokens]
  const int* sequences;        ///< record_tokens: [num_tokens]
  const long long* positions;  ///< record_tokens: [num_tokens]
  long long num_tokens;

  unsigned long long seed_key;  ///< mixed_sum: see kernels/checksums/cuda/mixed_keys.cuh
};

}  // namespace kvarium
