#pragma once

#include <cmath>
#include <cstdint>

namespace kvarium {

/// What happens to a query-key product before the softmax, for one (sequence, head):
/// scale, then soft-cap, then the ALiBi bias (0 at the newest token). Idea of the order: mistral.rs.
template <class Real>
struct LogitTransform {
  Real scale = 1;
  Real softcap = 0;
  Real alibi_slope = 0;
  std::int64_t sequence_length = 0;

  Real operator()(Real product, std::int64_t token) const {
    Real logit = product * scale;
    if (softcap > 0) logit = softcap * std::tanh(logit / softcap);
    if (alibi_slope != 0) logit += alibi_slope * static_cast<Real>(token - (sequence_length - 1));
    return logit;
  }
};

}  // namespace kvarium
