#include "experiments/kinds/timed_samples.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t fewest_samples = 3;

/// The number of samples ends it whatever the clock says: one that stands still never reaches a time.
bool has_enough(const TimedSeries& series, double total_seconds, const LimitsConfig& limits) {
  const auto samples = static_cast<std::int64_t>(series.seconds.size());
  if (samples >= std::max(limits.max_samples, fewest_samples)) return true;
  return samples >= fewest_samples && total_seconds >= limits.min_time_seconds;
}

}  // namespace

double TimedSeries::quantile(double fraction) const {
  KVARIUM_EXPECT(!seconds.empty());
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  // Linear between neighbours, as NumPy's default.
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

std::function<double(std::int64_t)> timed_by_host(std::function<void(std::int64_t)> work) {
  return [work = std::move(work)](std::int64_t sample) {
    const auto start = std::chrono::steady_clock::now();
    work(sample);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
}

double TimedSeries::median() const { return quantile(0.5); }

std::vector<TimedSeries> time_in_turns(const std::vector<TimedWork>& works, const LimitsConfig& limits) {
  std::vector<TimedSeries> all;
  for (const TimedWork& work : works) {
    work.run(0);
    all.push_back({work.name, work.bytes, {}});
  }
  std::vector<double> totals(works.size(), 0.0);
  for (std::int64_t sample = 0;; ++sample) {
    bool ran = false;
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (has_enough(all[i], totals[i], limits)) continue;
      totals[i] += all[i].seconds.emplace_back(works[i].run(sample));
      ran = true;
    }
    if (!ran) return all;
  }
}

}  // namespace kvarium
