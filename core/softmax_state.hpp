#pragma once

#include <cmath>
#include <limits>

namespace kvarium {

/// Weight and offset of a partial softmax: `sum` of exp(logit - maximum) over some tokens.
/// The empty state is maximum -inf, sum 0, and is neutral in `merge` (never NaN).
/// Idea: partial attention states as in FlashInfer's attention/state.cuh.
template <class Real>
struct SoftmaxState {
  Real maximum = -std::numeric_limits<Real>::infinity();
  Real sum = 0;

  bool is_empty() const { return sum == Real{0}; }

  /// sum * exp(maximum - other) without (-inf) - (-inf).
  Real weight_under(Real other) const {
    return is_empty() ? Real{0} : sum * std::exp(maximum - other);
  }

  /// Natural logarithm of the sum of exponentials; -inf when empty.
  Real log_sum_exp() const {
    return is_empty() ? -std::numeric_limits<Real>::infinity() : maximum + std::log(sum);
  }
};

/// The state over the union of two disjoint token sets.
template <class Real>
SoftmaxState<Real> merge(const SoftmaxState<Real>& left, const SoftmaxState<Real>& right) {
  if (left.is_empty()) return right;
  if (right.is_empty()) return left;
  const Real maximum = left.maximum > right.maximum ? left.maximum : right.maximum;
  return {maximum, left.weight_under(maximum) + right.weight_under(maximum)};
}

}  // namespace kvarium
