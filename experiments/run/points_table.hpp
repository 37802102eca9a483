#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/plan/plan.hpp"
#include "experiments/results/point_status.hpp"
#include "experiments/results/point_time.hpp"
#include "experiments/results/table.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// How one point of a plan stands.
struct PointState {
  PointStatus status = PointStatus::unfinished;
  std::string reason;
  std::int64_t num_trials = 0;
  /// See PointResult.
  std::optional<VariantChoice> choice = std::nullopt;
  PointTime time = {};
  /// Index of the run in the archive's provenance; -1 where that is not known.
  std::int64_t run = -1;
};

/// A configuration value as a table holds it: bool as flag, the rest as it is.
Value to_value(const FieldValue& value);

/// The table /plan/points: point, id, one column per swept key, status, reason, trials; one row per point of the plan.
/// Where the plan leaves variants open, choice_columns() follow.
/// Precondition: states.size() == plan.num_points().
Table points_table(const Plan& plan, const std::vector<PointState>& states);

}  // namespace kvarium
