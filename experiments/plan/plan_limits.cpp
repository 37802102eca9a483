#include "experiments/plan/plan_limits.hpp"

#include <fmt/format.h>

namespace kvarium {

std::int64_t count_points(const std::vector<SweepAxis>& sweep) {
  std::int64_t count = 1;
  for (const SweepAxis& axis : sweep) {
    const auto size = static_cast<std::int64_t>(axis.values.size());
    if (count > most_points / size) return most_points + 1;
    count *= size;
  }
  return count;
}

void check_plan_size(ExperimentReading& reading) {
  if (count_points(reading.experiment.sweep) <= most_points) return;
  const std::string& path = reading.experiment.sweep.front().paths.front();
  reading.errors.add(reading.swept.at(path), fmt::format("the sweep has more than {} points", most_points),
                     "leave out values or keys");
}

}  // namespace kvarium
