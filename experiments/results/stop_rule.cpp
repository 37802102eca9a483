#include "experiments/results/stop_rule.hpp"

#include <algorithm>

#include "experiments/results/proportion.hpp"

namespace kvarium {

std::vector<std::int64_t> StopRule::look_counts() const {
  std::vector<std::int64_t> counts;
  std::int64_t count = most_trials;
  for (std::int64_t look = 0; look < (width > 0 ? looks : 1); ++look) {
    if (counts.empty() || counts.back() > count) counts.push_back(count);
    count = (count + 1) / 2;
  }
  std::ranges::reverse(counts);
  return counts;
}

std::int64_t StopRule::fewest_trials() const {
  // No share gives a narrower interval than none at all, and trials that do not apply only widen it.
  for (const std::int64_t count : look_counts()) {
    if (is_reached(0, count)) return count;
  }
  return most_trials;
}

double StopRule::look_level() const { return 1 - (1 - level) / static_cast<double>(look_counts().size()); }

Proportion StopRule::interval(std::int64_t count, std::int64_t total) const {
  return clopper_pearson_interval(count, total, look_level());
}

bool StopRule::is_reached(std::int64_t count, std::int64_t total) const {
  if (width <= 0 || total == 0) return false;
  const Proportion found = interval(count, total);
  return found.high - found.low <= width;
}

}  // namespace kvarium
