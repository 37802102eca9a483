#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/attention/cuda/visible_tokens.cuh"
#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

namespace kvarium {

/// Tokens [first, last) of a sequence that one partition attends; empty where the partition lies past the end or wholly
/// before the window.
struct TokenRange {
  int64 first;
  int64 last;

  bool is_empty() const { return first >= last; }
};

inline TokenRange partition_tokens(const AttentionParameters& parameters, int64 sequence, int64 partition) {
  const int64 length = parameters.seq_lens[sequence];
  const int64 visible = first_visible_token(length, parameters.sliding_window);
  return {larger(partition * variant::partition_size, visible),
          smaller((partition + 1) * variant::partition_size, length)};
}

/// Partitions [first, last) of a sequence that hold visible tokens.
inline TokenRange visible_partitions(const AttentionParameters& parameters, int64 sequence) {
  const int64 length = parameters.seq_lens[sequence];
  return {first_visible_token(length, parameters.sliding_window) / variant::partition_size,
          (length + variant::partition_size - 1) / variant::partition_size};
}

/// Row of a partial result in exp_sums and max_logits (times head_size: in tmp_out).
inline int64 partial_row(const AttentionParameters& parameters, int64 sequence, int64 head, int64 partition) {
  return (sequence * parameters.num_heads + head) * parameters.max_num_partitions + partition;
}

}  // namespace kvarium
