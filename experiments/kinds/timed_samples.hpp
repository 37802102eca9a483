#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// Times of repeated runs of one piece of work.
struct TimedSeries {
  std::string name;
  double bytes = 0;             ///< read by one run
  std::vector<double> seconds;  ///< one a run, in order

  double median() const;
  /// The share `fraction` of runs took at most this long.
  double quantile(double fraction) const;
  double bytes_per_second() const { return bytes / median(); }
};

/// What is to be timed: `run(sample)` does the work once and says how many seconds it took.
struct TimedWork {
  std::string name;
  double bytes = 0;
  std::function<double(std::int64_t sample)> run;
};

/// Work that is done when it returns, timed by the host's steady clock.
std::function<double(std::int64_t sample)> timed_by_host(std::function<void(std::int64_t sample)> work);

/// Runs the works in turns (so that a drift of the machine meets all alike), after one warm-up each, until every one
/// has taken min_time_seconds or max_samples runs, whatever the clock says; at least 3 runs each.
std::vector<TimedSeries> time_in_turns(const std::vector<TimedWork>& works, const LimitsConfig& limits);

}  // namespace kvarium
