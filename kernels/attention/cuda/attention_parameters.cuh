#pragma once

namespace kvarium {

/// Where an element of K or V lies, in elements, as in core's CacheStrides: element stride 1 in every layout, the
/// group size is a constant of the variant.
struct TensorStrides {
  long long block;
  long long kv_head;
  long long token;
  long long group;
};

/// See kernels/attention/verification.hpp. Device memory; all zero where nothing is verified.
struct VerificationParameters {
  const unsigned long long* expected;  ///< [num_sequences, max_num_blocks_per_sequence, num_kv_heads]
  const int* covered_tokens;           ///< [num_sequences, max_num_blocks_per_sequence]
  long long first_head;                ///< layer * 65536 + global number of the cache's first KV head
  unsigned long long* result;          ///< fault word, slices verified, slices unverified
  unsigned long long seed_key;         ///< mixed_sum: see kernels/checksums/cuda/mixed_keys.cuh
};

/// Arguments of every attention kernel, by value from host to device. Trivially copyable; read by the host's compiler
/// and by the device's. Pointers are device memory; optional ones are null when unused.
struct AttentionParameters {
  void* out;          ///< [num_sequences, num_heads, head_size] of query_type
  float* exp_sums;    ///< [num_sequences, num_heads, max_num_partitions]
  float* max_logits;  ///< [num_sequences, num_heads, max_num_partitions]
  void* tmp_out;      ///< [num_sequences, num_heads, max_num_partitions, head_size]; float32, or query_type (see below)
  float* lse;         ///< optional [num_sequences, num_heads], natural logarithm

  const void* query;          ///< [num_sequences, num_heads, head_size] of query_type, rows query_stride apart
  const void* key;            ///< first element of the key tensor
  const void* value;          ///< first element of the value tensor (`packed`: first V element of the one tensor)
  const int* block_tables;    ///< [num_sequences, max_num_blocks_per_sequence]
  const int* seq_lens;        ///< [num_sequences], tokens
  const float* alibi_slopes;  ///< optional [num_heads]
  const float* sinks;         ///< optional [num_heads]
  unsigned int* tickets;      ///< [num_sequences, num_kv_heads] zeros before and after a launch; combine by ticket only

  long long query_stride;  ///< elements between two sequences of query
  TensorStrides key_strides;
  TensorStrides value_strides;
  long long max_num_blocks_per_sequence;
  long long sliding_window;  ///< tokens; 0: all

  int num_sequences;
  int num_heads;
  int num_kv_heads;
  int max_num_partitions;
  int tmp_out_in_query_type;  ///< 1: tmp_out is of query_type as published, 0: float32

  float scale;    ///< of query-key products, without k_scale
  float softcap;  ///< 0: off
  float k_scale;  ///< 1 unless the cache is fp8
  float v_scale;

  VerificationParameters verification;
};

}  // namespace kvarium
