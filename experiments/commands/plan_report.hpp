#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/commands/plan_summary.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {

/// What will be run, in words: counts, trials, memory and time, then a table of the points (of a long plan the first
/// and the last).
std::string plan_text(const Plan& plan, const PlanSummary& summary, const std::optional<MeasuredTime>& time);

/// The same for programs: name, kind, points, skipped points, replicates of each, fingerprint, trials, bytes, seconds
/// (or null).
nlohmann::ordered_json plan_counts(const Plan& plan, const PlanSummary& summary,
                                   const std::optional<MeasuredTime>& time = {});

/// One line of the counts.
std::string plan_line(const Plan& plan, const PlanSummary& summary);

/// One point as a line of JSON: its number, id, swept values and reason to skip it (or null).
std::string point_line(const Plan& plan, std::int64_t index, const std::optional<std::string>& skip_reason);

}  // namespace kvarium
