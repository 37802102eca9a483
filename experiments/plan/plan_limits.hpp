#pragma once

#include <cstdint>

#include "experiments/config/experiment_reading.hpp"

namespace kvarium {

/// Most points of one experiment.
inline constexpr std::int64_t most_points = 10'000'000;

/// Points of all combinations of the axes; most_points + 1 when there are more than most_points.
std::int64_t count_points(const std::vector<SweepAxis>& sweep);

/// Reports a sweep with more than most_points points.
void check_plan_size(ExperimentReading& reading);

}  // namespace kvarium
