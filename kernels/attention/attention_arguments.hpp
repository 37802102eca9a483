#pragma once

#include <cstdint>

#include "core/paged_cache_view.hpp"
#include "core/rounding.hpp"
#include "kernels/attention/verification.hpp"

namespace kvarium {

/// Partial results between the two phases of paged_attention_v2, as published by vLLM:
/// exp_sums and max_logits [num_sequences, num_heads, max_num_partitions] float32,
/// tmp_out [num_sequences, num_heads, max_num_partitions, head_size] of `element_type`.
/// Entries of partitions past a sequence's end are never written and never read.
/// All null: the family allocates its own.
struct PartialBuffers {
  float* exp_sums = nullptr;
  float* max_logits = nullptr;
  void* tmp_out = nullptr;
  ElementType element_type = ElementType::float32;
  std::int64_t max_num_partitions = 0;
};

/// Sizes and types of one attention call: what decides whether a family can run it.
struct AttentionShape {
  std::int64_t num_sequences = 0;
  int num_heads = 1;
  std::int64_t max_num_blocks_per_sequence = 0;
  std::int64_t max_seq_len = 0;
  ElementType query_type = ElementType::float32;  ///< of query and out; never fp8
  CacheGeometry cache;

  int query_heads_per_kv_head() const { return num_heads / cache.num_kv_heads; }
};

/// Device memory a CUDA family works in, so that a call allocates nothing. Calls on one stream may share it, whatever
/// their shapes. Host families need none.
struct AttentionWorkspace {
  void* data = nullptr;  ///< partial results; any contents before and after
  std::size_t bytes = 0;
  /// Combine by ticket only: at least num_sequences * num_kv_heads counters, zeroed once by whoever made them; each
  /// call leaves them zero.
  std::uint32_t* tickets = nullptr;
  std::int64_t num_tickets = 0;
};

/// The arguments of paged_attention_v2. Pointers are host memory for host families and device memory for
/// CUDA families; nothing is owned. Published names are kept; num_kv_heads, block_size, kv_cache_dtype,
/// k_scale and v_scale stand in `cache`.
/// Optional parts are null (or 0) when unused.
struct PagedAttentionArguments {
  AttentionShape shape;

  void* out = nullptr;            ///< [num_sequences, num_heads, head_size] of query_type
  PartialBuffers partials;        ///< exp_sums, max_logits, tmp_out
  const void* query = nullptr;    ///< [num_sequences, num_heads, head_size] of query_type
  std::int64_t query_stride = 0;  ///< elements between two sequences of `query`; 0: dense
  PagedCacheView cache;           ///< key_cache, value_cache with layout, type, strides and scales
  float scale = 1.0F;
  const std::int32_t* block_tables = nullptr;  ///< [num_sequences, max_num_blocks_per_sequence]
  const std::int32_t* seq_lens = nullptr;      ///< [num_sequences], tokens

  const float* alibi_slopes = nullptr;  ///< [num_heads]; logit += slope * (token - (seq_len - 1))
  float softcap = 0.0F;                 ///< logit = softcap * tanh(logit / softcap), before ALiBi; 0: off
  std::int64_t sliding_window = 0;      ///< only the last this many tokens; 0: all
  const float* sinks = nullptr;         ///< [num_heads] extra logits that weigh in the sum but carry no value
  float* lse = nullptr;                 ///< [num_sequences, num_heads] natural log of the sum, sinks included

  Verification verification;  ///< read where the variant verifies

  void* stream = nullptr;  ///< CUDA families: the CUstream the work is put on; null: the default stream
  AttentionWorkspace workspace;

  /// Elements between two sequences of `query`.
  std::int64_t query_row_stride() const {
    return query_stride != 0 ? query_stride : std::int64_t{shape.num_heads} * shape.cache.head_size;
  }
};

/// Number of partitions of `tokens` tokens.
constexpr std::int64_t num_partitions(std::int64_t tokens, std::int64_t partition_size) {
  return divide_up(tokens, partition_size);
}

/// First token of a sequence that its window lets in.
constexpr std::int64_t first_visible_token(std::int64_t sequence_length, std::int64_t sliding_window) {
  return sliding_window > 0 && sequence_length > sliding_window ? sequence_length - sliding_window : 0;
}

/// Checks everything that shapes and host-readable arrays can tell: geometry, head counts, partition
/// buffers (the number of partitions must be ceil(max_seq_len / partition_size); none with partition_size 0), strides.
/// Errors: InputError.
void validate_shapes(const PagedAttentionArguments& arguments, int partition_size);

/// Checks block tables and sequence lengths that the host can read: every block a sequence attends must
/// be in [0, num_blocks), every length in [0, max_seq_len] and within its table row. An id out of range is
/// reported, never mapped to another block. Errors: InputError with sequence and position.
void validate_block_tables(const PagedAttentionArguments& arguments);

}  // namespace kvarium
