#include "experiments/results/wilson_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "experiments/results/binomial.hpp"

namespace kvarium {

Proportion wilson_interval(std::int64_t count, std::int64_t total, double level) {
  KVARIUM_EXPECT(count >= 0 && count <= total);
  if (total == 0) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none};
  }
  const auto n = static_cast<double>(total);
  return wilson_interval_of_rate(static_cast<double>(count) / n, n, level);
}

Proportion wilson_interval_of_rate(double rate, double trials, double level) {
  const double n = trials;
  const double z = normal_quantile(0.5 + level / 2);
  const double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  // Rounding must not move a bound past the share itself.
  return {rate, rate <= 0 ? 0.0 : std::min(rate, centre - half), rate >= 1 ? 1.0 : std::max(rate, centre + half)};
}

}  // namespace kvarium
