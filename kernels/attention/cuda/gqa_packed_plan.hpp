#pragma once

#include <cstddef>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// How the lanes of a warp share a step's keys and values in the family gqa_packed; constants of its device source.
struct GqaPackedPlan {
  int heads_per_block = 1;  ///< query heads that one thread block attends
  int piece_bytes = 16;     ///< of a token's K, and of V in rows, that a lane copies at once
  int lanes_per_token = 1;
  int rows_per_batch = 1;      ///< rows of a step whose query-key products are held at once
  int value_piece_bytes = 16;  ///< split_x: neighbouring tokens of an element that a lane copies at once
  int value_lanes = 1;         ///< split_x: lanes that take neighbouring pieces of an element
  int value_run_tokens = 1;    ///< split_x: tokens of a piece that are weighted at once
  int alignment = 16;          ///< bytes that pieces of K and V must be aligned to
  std::size_t shared_bytes = 0;

  /// Thread blocks that share the query heads of a KV head; more than one read its cells more than once.
  int blocks_per_kv_head(int query_heads_per_kv_head) const {
    return divide_up(query_heads_per_kv_head, heads_per_block);
  }
};

/// Precondition: block_n is 8, 16, 32 or 64.
GqaPackedPlan plan_gqa_packed(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium
