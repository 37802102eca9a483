#include "experiments/results/binomial.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// The continued fraction of the incomplete beta function; converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  constexpr int most_terms = 100000;
  const auto nonzero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < most_terms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / nonzero(1 + term * d);
      c = nonzero(1 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1) < 1e-16) break;
  }
  return fraction;
}

/// The root of an increasing function on [low, high], halved until no double lies between.
template <class Function>
double bisect(double low, double high, double wanted, Function function) {
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (function(middle) < wanted ? low : high) = middle;
  }
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  KVARIUM_EXPECT(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return std::min(1.0, front * beta_fraction(a, b, x) / a);
  return std::max(0.0, 1 - front * beta_fraction(b, a, 1 - x) / b);
}

double binomial_distribution(std::int64_t count, std::int64_t total, double p) {
  if (count < 0) return 0;
  if (count >= total) return 1;
  return incomplete_beta(static_cast<double>(total - count), static_cast<double>(count) + 1, 1 - p);
}

double beta_quantile(double a, double b, double probability) {
  return bisect(0, 1, probability, [&](double x) { return incomplete_beta(a, b, x); });
}

double normal_quantile(double probability) {
  KVARIUM_EXPECT(probability > 0 && probability < 1);
  return bisect(-40, 40, probability, [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); });
}

}  // namespace kvarium
