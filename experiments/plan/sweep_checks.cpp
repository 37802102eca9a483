#include "experiments/plan/sweep_checks.hpp"

#include <fmt/format.h>

#include <optional>

#include "experiments/plan/kept_combinations.hpp"
#include "experiments/plan/listed_points.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/plan/sweep_product.hpp"

namespace kvarium {
namespace {

/// Whether the product can be gone through.
bool check_size(ExperimentReading& reading) {
  const Sweep& sweep = reading.experiment.sweep;
  const std::int64_t combinations = num_combinations(sweep.axes);
  const std::int64_t most = sweep.sample ? most_combinations - 1 : most_points;
  if (combinations <= most) return true;
  const std::string& path = sweep.axes.front().paths.front();
  reading.errors.add(reading.swept.at(path), fmt::format("the sweep has more than {} points", most),
                     sweep.sample ? "leave out values or keys" : "leave out values or keys, or take a sample");
  return false;
}

void report_small_product(std::int64_t available, const char* remark, ExperimentReading& reading) {
  reading.errors.add(reading.sample_place,
                     fmt::format("sample takes {} points, but grid and zip have {}{}",
                                 reading.experiment.sweep.sample->count, available, remark),
                     "lower the count, or add values");
}

/// Reports rules that leave too few combinations.
void check_kept(std::int64_t kept, ExperimentReading& reading) {
  const Sweep& sweep = reading.experiment.sweep;
  if (kept == 0) {
    reading.errors.add(reading.exclusion_places.back(),
                       fmt::format("exclude leaves none of {} points", num_combinations(sweep.axes)), "remove a rule");
  } else if (sweep.sample && kept < sweep.sample->count) {
    report_small_product(kept, " that exclude leaves", reading);
  }
}

void check_list(const std::optional<std::vector<std::int64_t>>& kept, ExperimentReading& reading) {
  ListedPoints listed(reading.experiment, kept);
  for (std::size_t row = 0; row < reading.row_places.size(); ++row) {
    const std::string twin = listed.twin_of(row);
    if (twin.empty()) continue;
    reading.errors.add(reading.row_places[row], fmt::format("this row is {}", twin), "remove it");
  }
}

}  // namespace

void check_sweep(ExperimentReading& reading) {
  const Sweep& sweep = reading.experiment.sweep;
  if (!check_size(reading) || !reading.errors.empty()) return;
  if (sweep.sample && sweep.sample->count > num_combinations(sweep.axes)) {
    return report_small_product(num_combinations(sweep.axes), "", reading);
  }
  std::optional<std::vector<std::int64_t>> kept;
  if (sweep.sample || !sweep.exclude.empty()) {
    kept = kept_combinations(sweep, reading.experiment.point.seed);
    check_kept(std::ssize(*kept), reading);
  }
  check_list(kept, reading);
}

}  // namespace kvarium
