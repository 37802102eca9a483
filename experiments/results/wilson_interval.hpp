#pragma once

#include <cstdint>

namespace kvarium {

/// A share k of n with a confidence interval; all NaN when n is 0.
struct Proportion {
  double rate = 0;
  double low = 0;
  double high = 1;
};

/// Wilson score interval. Source: E. B. Wilson, "Probable inference", JASA 22 (1927).
/// Precondition: 0 <= count <= total.
Proportion wilson_interval(std::int64_t count, std::int64_t total, double level = 0.95);

/// The same about a share of an effective, not whole, number of trials. Precondition: 0 <= rate <= 1, trials > 0.
Proportion wilson_interval_of_rate(double rate, double trials, double level);

}  // namespace kvarium
