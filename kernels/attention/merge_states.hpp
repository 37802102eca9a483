#pragma once

#include <cstdint>

#include "core/element_type.hpp"

namespace kvarium {

/// Attention results over one part of the tokens: out [num_rows, head_size] and lse [num_rows]
/// (natural log, -inf and zeros when the part was empty); a row is one (sequence, head).
struct AttentionState {
  void* out = nullptr;
  float* lse = nullptr;
};

/// Sizes of `merge_states`.
struct StateShape {
  std::int64_t num_rows = 0;
  int head_size = 0;
  ElementType element_type = ElementType::float32;
};

/// Merges two partial attention results over disjoint tokens into `merged` (may be one of the inputs).
/// Both empty gives zeros and -inf, never NaN. Source: cascade attention as in FlashInfer's merge_state.
void merge_states(const AttentionState& left, const AttentionState& right, const AttentionState& merged,
                  const StateShape& shape);

}  // namespace kvarium
