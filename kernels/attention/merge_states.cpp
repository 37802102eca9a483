#include "kernels/attention/merge_states.hpp"

#include <cmath>
#include <limits>

#include "core/element_conversion.hpp"
#include "core/softmax_state.hpp"

namespace kvarium {
namespace {

/// A log-sum-exp as a softmax state of sum 1.
SoftmaxState<double> state_of(float lse) {
  if (std::isinf(lse) && lse < 0) return {};
  return {static_cast<double>(lse), 1.0};
}

/// One part of the tokens and its share of the whole.
struct WeightedRow {
  const void* out = nullptr;
  double weight = 0;

  /// An empty part counts for nothing whatever its bytes hold.
  double element(std::int64_t index, ElementType type) const {
    return weight == 0 ? 0.0 : weight * static_cast<double>(load_element(out, index, type));
  }
};

}  // namespace

void merge_states(const AttentionState& left, const AttentionState& right, const AttentionState& merged,
                  const StateShape& shape) {
  for (std::int64_t row = 0; row < shape.num_rows; ++row) {
    const auto left_state = state_of(left.lse[row]);
    const auto right_state = state_of(right.lse[row]);
    const SoftmaxState<double> both = merge(left_state, right_state);
    const double total = both.is_empty() ? 1.0 : both.sum;
    const WeightedRow rows[2] = {{left.out, left_state.weight_under(both.maximum) / total},
                                 {right.out, right_state.weight_under(both.maximum) / total}};
    for (std::int64_t e = 0; e < shape.head_size; ++e) {
      const std::int64_t index = row * shape.head_size + e;
      const double sum = rows[0].element(index, shape.element_type) + rows[1].element(index, shape.element_type);
      store_element(merged.out, index, shape.element_type, static_cast<float>(sum));
    }
    merged.lse[row] = static_cast<float>(both.log_sum_exp());
  }
}

}  // namespace kvarium
