#include "experiments/results/proportion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "experiments/results/binomial.hpp"

namespace kvarium {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double share_of(const Stratum& stratum) {
  return static_cast<double>(stratum.count) / static_cast<double>(stratum.total);
}

}  // namespace

Proportion clopper_pearson_interval(std::int64_t count, std::int64_t total, double level) {
  KVARIUM_EXPECT(count >= 0 && count <= total);
  if (total == 0) return {none, none, none};
  const double tail = (1 - level) / 2;
  const auto k = static_cast<double>(count);
  const auto n = static_cast<double>(total);
  const double low = count == 0 ? 0 : beta_quantile(k, n - k + 1, tail);
  const double high = count == total ? 1 : beta_quantile(k + 1, n - k, 1 - tail);
  return {k / n, low, high};
}

Proportion stratified_interval(std::span<const Stratum> strata, double level) {
  double weights = 0, trials = 0;
  for (const Stratum& stratum : strata) {
    if (stratum.weight > 0 && stratum.total == 0) return {none, none, none};
    weights += stratum.weight;
    trials += static_cast<double>(stratum.total);
  }
  if (weights <= 0) return {none, none, none};
  double rate = 0, variance = 0;
  for (const Stratum& stratum : strata) {
    if (stratum.weight <= 0) continue;
    const double weight = stratum.weight / weights;
    rate += weight * share_of(stratum);
    variance += weight * weight * share_of(stratum) * (1 - share_of(stratum)) / static_cast<double>(stratum.total);
  }
  // Shares of 0 and 1 alone have no variance to tell the effective number by.
  const double effective = variance > 0 ? rate * (1 - rate) / variance : trials;
  return wilson_interval_of_rate(rate, effective, level);
}

double mcnemar_test(const PairedCounts& counts) {
  const std::int64_t unlike = counts.first_only + counts.second_only;
  if (unlike == 0) return 1;
  const double tail = binomial_distribution(std::min(counts.first_only, counts.second_only), unlike, 0.5);
  return std::min(1.0, 2 * tail);
}

}  // namespace kvarium
