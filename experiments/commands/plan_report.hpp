#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/plan/plan.hpp"

namespace kvarium {

/// What will be run, in words: counts, then a table of the points (the first 50 of a long plan).
std::string plan_text(const Plan& plan);

/// The same for programs, with every point: its number, id, swept values and reason to skip it (or null).
nlohmann::ordered_json plan_report(const Plan& plan);

/// Counts only: name, kind, points, skipped points, replicates of each, fingerprint.
nlohmann::ordered_json plan_counts(const Plan& plan);

/// One line of those counts.
std::string plan_line(const Plan& plan);

}  // namespace kvarium
