#pragma once

#include <cstdint>

#include "kernels/attention/attention_arguments.hpp"

namespace kvarium {

/// One partial result of one (sequence, query head).
struct PartialIndex {
  std::int64_t sequence = 0;
  std::int64_t head = 0;
  std::int64_t partition = 0;
};

/// Row of a partial result in exp_sums and max_logits (times head_size: in tmp_out).
constexpr std::int64_t partial_row(const AttentionShape& shape, const PartialBuffers& partials,
                                   const PartialIndex& index) {
  return (index.sequence * shape.num_heads + index.head) * partials.max_num_partitions + index.partition;
}

/// The partitions [first, last) of one (sequence, query head).
struct PartitionRange {
  std::int64_t sequence = 0;
  std::int64_t head = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// The partitions of a sequence that its window touches; `head` is left to the caller.
PartitionRange visible_partitions(const PagedAttentionArguments& arguments, std::int64_t partition_size,
                                  std::int64_t sequence);

/// Phase 2 on the host: merges any number of partitions by log-sum-exp in float64 and fixed order, with the
/// head's sink, and writes `out` and `lse` of one (sequence, head). No partition: zeros and -inf.
void reduce_partitions(const PagedAttentionArguments& arguments, const PartialBuffers& partials,
                       const PartitionRange& range);

}  // namespace kvarium
