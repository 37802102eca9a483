#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// What happens to a query-key product before the softmax, for one (sequence, head): scale, then soft-cap, then the
/// ALiBi bias (0 at the newest token).
struct LogitTransform {
  float scale;
  float softcap;
  float alibi_slope;
  int64 newest_token;

  float operator()(float product, int64 token) const {
    float logit = product * scale;
    if (softcap > 0.0F) logit = softcap * tanhf(logit / softcap);
    if (alibi_slope != 0.0F) logit += alibi_slope * static_cast<float>(token - newest_token);
    return logit;
  }
};

inline LogitTransform logit_transform(const AttentionParameters& parameters, int64 sequence, int64 head) {
  const float slope = parameters.alibi_slopes != nullptr ? parameters.alibi_slopes[head] : 0.0F;
  return {parameters.scale * parameters.k_scale, parameters.softcap, slope, parameters.seq_lens[sequence] - 1LL};
}

}  // namespace kvarium
