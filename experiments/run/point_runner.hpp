#pragma once

#include <cstdint>

#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// What `kind` needs beside the point's configuration; progress and should_stop are left empty.
PointContext point_context(const PointConfig& point);

/// Runs one point of the plan: skipped with the reason where it cannot run, failed with the exception's text where it
/// throws or needs more memory than is free; no exception leaves.
PointResult run_point(const Plan& plan, std::int64_t point, const ExperimentKind& kind, PointContext context);

}  // namespace kvarium
