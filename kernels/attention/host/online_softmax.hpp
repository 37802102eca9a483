#pragma once

#include <cstdint>

#include "kernels/attention/logit_transform.hpp"

namespace kvarium::host {

/// Running softmax of one query head over the steps of a partition.
struct OnlineSoftmax {
  float maximum;
  float sum;
  float rescale;  ///< factor on earlier weights after the last step

  OnlineSoftmax();
};

/// One head's logits of a step.
struct StepLogits {
  float* values = nullptr;  ///< products in, weights exp(logit - maximum) out; zero-padded to whole vectors
  const std::int64_t* positions = nullptr;  ///< [count] each token's position in its sequence
  int count = 0;
};

/// Turns products, scaled already (`transform.scale` is 1), into weights and updates the running maximum and sum.
/// Source of the scheme: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.
void advance(OnlineSoftmax& state, const StepLogits& logits, const LogitTransform<float>& transform);

}  // namespace kvarium::host
