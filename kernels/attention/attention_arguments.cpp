#include "kernels/attention/attention_arguments.hpp"

#include <cmath>

#include "core/check.hpp"

namespace kvarium {
namespace {

void validate_heads(const AttentionShape& shape) {
  KVARIUM_VALIDATE(shape.num_heads > 0 && shape.num_heads % shape.cache.num_kv_heads == 0, "num_heads is ",
                   shape.num_heads, " but num_kv_heads is ", shape.cache.num_kv_heads,
                   "; use a positive multiple of num_kv_heads");
  KVARIUM_VALIDATE(!is_float8(shape.query_type), "query type ", to_string(shape.query_type),
                   " is not supported; use float32, float16 or bfloat16");
}

void validate_partials(const PagedAttentionArguments& arguments, int partition_size) {
  const PartialBuffers& partials = arguments.partials;
  const int given = (partials.exp_sums != nullptr) + (partials.max_logits != nullptr) + (partials.tmp_out != nullptr);
  KVARIUM_VALIDATE(given == 0 || given == 3, "of exp_sums, max_logits and tmp_out only ", given,
                   " are given; pass all three or none");
  if (given == 0) return;
  KVARIUM_VALIDATE(partition_size > 0,
                   "exp_sums, max_logits and tmp_out hold partitions but partition_size is 0 (persistent); pass none");
  const std::int64_t needed = num_partitions(arguments.shape.max_seq_len, partition_size);
  KVARIUM_VALIDATE(partials.max_num_partitions == needed, "exp_sums, max_logits and tmp_out hold ",
                   partials.max_num_partitions, " partitions but max_seq_len ", arguments.shape.max_seq_len,
                   " in partitions of ", partition_size, " tokens needs ", needed);
  KVARIUM_VALIDATE(partials.element_type == arguments.shape.query_type || partials.element_type == ElementType::float32,
                   "tmp_out is ", to_string(partials.element_type), "; use the type of out or float32");
}

/// Blocks of one sequence that its attention reads: [first, last).
struct BlockRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

BlockRange attended_blocks(std::int64_t sequence_length, std::int64_t sliding_window, std::int64_t block_size) {
  return {first_visible_token(sequence_length, sliding_window) / block_size,
          num_partitions(sequence_length, block_size)};
}

void validate_sequence(const PagedAttentionArguments& arguments, std::int64_t sequence) {
  const AttentionShape& shape = arguments.shape;
  const std::int64_t length = arguments.seq_lens[sequence];
  const std::int64_t capacity = shape.max_num_blocks_per_sequence * shape.cache.block_size;
  KVARIUM_VALIDATE(length >= 0 && length <= shape.max_seq_len, "seq_lens[", sequence, "] is ", length,
                   "; use 0 to max_seq_len ", shape.max_seq_len);
  KVARIUM_VALIDATE(length <= capacity, "seq_lens[", sequence, "] is ", length, " but its block table row holds ",
                   shape.max_num_blocks_per_sequence, " blocks of ", shape.cache.block_size, " tokens; at most ",
                   capacity, " tokens fit");
  const BlockRange blocks = attended_blocks(length, arguments.sliding_window, shape.cache.block_size);
  for (std::int64_t block = blocks.first; block < blocks.last; ++block) {
    const std::int64_t id = arguments.block_tables[sequence * shape.max_num_blocks_per_sequence + block];
    KVARIUM_VALIDATE(id >= 0 && id < shape.cache.num_blocks, "block_tables[", sequence, ", ", block, "] is ", id,
                     "; use 0 to ", shape.cache.num_blocks - 1, " (num_blocks - 1)");
  }
}

}  // namespace

void validate_shapes(const PagedAttentionArguments& arguments, int partition_size) {
  const AttentionShape& shape = arguments.shape;
  validate(shape.cache);
  validate_heads(shape);
  KVARIUM_VALIDATE(shape.cache == arguments.cache.geometry, "the cache is ", to_string(arguments.cache.geometry),
                   " but the call says ", to_string(shape.cache), "; pass the same geometry twice");
  KVARIUM_VALIDATE(partition_size >= 0 && partition_size % shape.cache.block_size == 0, "partition_size is ",
                   partition_size, "; use a positive multiple of block_size ", shape.cache.block_size,
                   ", or 0 where the family has a persistent schedule");
  KVARIUM_VALIDATE(shape.num_sequences >= 0 && shape.max_num_blocks_per_sequence >= 0 && shape.max_seq_len >= 0,
                   "num_sequences, max_num_blocks_per_sequence and max_seq_len must not be negative");
  KVARIUM_VALIDATE(arguments.sliding_window >= 0, "sliding_window is ", arguments.sliding_window,
                   "; use 0 for all tokens or a positive number");
  KVARIUM_VALIDATE(arguments.softcap >= 0.0F && std::isfinite(arguments.softcap), "softcap is ", arguments.softcap,
                   "; use 0 for none or a positive finite number");
  const std::int64_t row = std::int64_t{shape.num_heads} * shape.cache.head_size;
  KVARIUM_VALIDATE(arguments.query_row_stride() >= row, "query rows are ", arguments.query_row_stride(),
                   " elements apart; a row holds num_heads * head_size = ", row);
  validate_partials(arguments, partition_size);
}

void validate_block_tables(const PagedAttentionArguments& arguments) {
  for (std::int64_t sequence = 0; sequence < arguments.shape.num_sequences; ++sequence) {
    validate_sequence(arguments, sequence);
  }
}

}  // namespace kvarium
