#pragma once

#include <cstdint>
#include <vector>

#include "experiments/results/wilson_interval.hpp"

namespace kvarium {

/// When a point has enough trials: the interval of its share is narrow enough at one of a few looks at fixed numbers of
/// trials. Looking more than once would spoil an interval of the plain level, because a run stops where chance makes it
/// narrow; each look therefore takes an equal part of the error probability, so that all intervals of a run hold
/// together with at least `level`, the last one reported with them (Bonferroni, the spending function of Lan and
/// DeMets, Biometrika 70 (1983), that spends equally at each look). The intervals are Clopper and Pearson's, so that
/// holds for any share.
struct StopRule {
  std::int64_t most_trials = 1;
  double width = 0;  ///< of the interval; 0: all trials are run, one look
  std::int64_t looks = 10;
  double level = 0.95;

  /// Numbers of trials at which the rule looks, rising, each about twice the one before, the last most_trials.
  std::vector<std::int64_t> look_counts() const;
  /// Number of trials that it never ends before: the first look that can find the narrowest interval narrow enough.
  std::int64_t fewest_trials() const;
  /// Level of the interval at each look.
  double look_level() const;
  /// The interval at a look.
  Proportion interval(std::int64_t count, std::int64_t total) const;
  /// Whether a look finds the interval narrow enough.
  bool is_reached(std::int64_t count, std::int64_t total) const;
};

}  // namespace kvarium
