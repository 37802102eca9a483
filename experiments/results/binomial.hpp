#pragma once

#include <cstdint>

namespace kvarium {

/// Regularised incomplete beta function I_x(a, b). Preconditions: a, b > 0; 0 <= x <= 1. Absolute error below 1e-12.
/// Source: continued fraction of DLMF 8.17.22, by the modified Lentz method.
double incomplete_beta(double a, double b, double x);

/// Probability of at most `count` successes in `total` trials of probability p.
double binomial_distribution(std::int64_t count, std::int64_t total, double p);

/// x with I_x(a, b) = probability, to the last digits of a double.
double beta_quantile(double a, double b, double probability);

/// z with P(standard normal < z) = probability. Precondition: 0 < probability < 1.
double normal_quantile(double probability);

}  // namespace kvarium
