#pragma once

#include <string>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/run/points_table.hpp"

namespace kvarium {

/// The table /timing/points: in which run each point of the plan ran, when, and how long. Nothing in it is
/// deterministic.
Table point_times_table(const std::vector<PointState>& states);

/// Puts the times and runs that an archive holds into `states`, one a row of its /plan/points; archives of schema
/// version 1.0 hold none. Errors: InputError (beginning with `place`) where the table is damaged.
void read_point_times(const std::string& place, const ArchiveContent& archive, std::vector<PointState>& states);

}  // namespace kvarium
