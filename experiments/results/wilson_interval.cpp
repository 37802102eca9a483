#include "experiments/results/wilson_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"

namespace kvarium {

Proportion wilson_interval(std::int64_t count, std::int64_t total) {
  KVARIUM_EXPECT(count >= 0 && count <= total);
  if (total == 0) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none};
  }
  // Quantile 0.975 of the standard normal distribution.
  constexpr double z = 1.959963984540054;
  const auto n = static_cast<double>(total);
  const double rate = static_cast<double>(count) / n;
  const double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  // Rounding must not move a bound past the share itself.
  return {rate, count == 0 ? 0.0 : std::min(rate, centre - half), count == total ? 1.0 : std::max(rate, centre + half)};
}

}  // namespace kvarium
