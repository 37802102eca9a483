#pragma once

#include <cstdint>
#include <span>

#include "experiments/results/wilson_interval.hpp"

namespace kvarium {

/// Exact interval: its ends are the shares under which so few, or so many, have probability (1 - level) / 2.
/// Covers the true share with at least `level`. Source: Clopper and Pearson, Biometrika 26 (1934).
/// Precondition: 0 <= count <= total.
Proportion clopper_pearson_interval(std::int64_t count, std::int64_t total, double level = 0.95);

/// What one stratum of a population gave.
struct Stratum {
  double weight = 0;       ///< share of the population, or any number proportional to it
  std::int64_t count = 0;  ///< successes
  std::int64_t total = 0;  ///< trials
};

/// The share in a population whose strata were sampled apart: the weighted mean of their shares, with an interval by
/// the normal approximation of Wilson's with the effective number of trials that has the same variance. All NaN when a
/// stratum of positive weight has no trials. Source: Cochran, Sampling Techniques (1977), 5.3; Korn and Graubard,
/// Survey Methodology 24 (1998) for the effective number.
Proportion stratified_interval(std::span<const Stratum> strata, double level = 0.95);

/// Trials of two points that met the same faults, by what each of the two saw.
struct PairedCounts {
  std::int64_t both = 0;
  std::int64_t first_only = 0;
  std::int64_t second_only = 0;
  std::int64_t neither = 0;
};

/// Two-sided exact test of whether two points see equally often: probability, if they did, of trials that only one of
/// them saw splitting at least as unevenly. 1 where there are none. Source: McNemar, Psychometrika 12 (1947), exact
/// form.
double mcnemar_test(const PairedCounts& counts);

}  // namespace kvarium
