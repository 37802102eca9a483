#include "kernels/attention/host/online_softmax.hpp"

#include <limits>

#include "kernels/host/exponential.hpp"

namespace kvarium::host {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

void transform_logits(const StepLogits& logits, const LogitTransform<float>& transform) {
  if (transform.softcap == 0.0F && transform.alibi_slope == 0.0F) return;
  for (int token = 0; token < logits.count; ++token) {
    logits.values[token] = transform(logits.values[token], logits.positions[token]);
  }
}

/// Fills the last vector so that the padding weighs nothing.
int pad_logits(const StepLogits& logits) {
  const int padded = (logits.count + lanes - 1) / lanes * lanes;
  for (int token = logits.count; token < padded; ++token) logits.values[token] = minus_infinity;
  return padded;
}

}  // namespace

OnlineSoftmax::OnlineSoftmax() : maximum(minus_infinity), sum(0.0F), rescale(0.0F) {}

void advance(OnlineSoftmax& state, const StepLogits& logits, const LogitTransform<float>& transform) {
  transform_logits(logits, transform);
  const int padded = pad_logits(logits);
  Vector16 largest = broadcast(state.maximum);
  for (int token = 0; token < padded; token += lanes) {
    largest = host::maximum(largest, load<Vector16>(logits.values + token));
  }
  const float maximum = maximum_lane(largest);
  state.rescale = state.sum == 0.0F ? 0.0F : exponential(broadcast(state.maximum - maximum))[0];
  Vector16 sums{};
  for (int token = 0; token < padded; token += lanes) {
    const Vector16 weights = exponential(load<Vector16>(logits.values + token) - maximum);
    store(logits.values + token, weights);
    sums += weights;
  }
  state.sum = state.sum * state.rescale + sum_lanes(sums);
  state.maximum = maximum;
}

}  // namespace kvarium::host
