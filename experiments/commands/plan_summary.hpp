#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "experiments/plan/plan.hpp"

namespace kvarium {

/// What running a plan comes to, as far as that is known without running it.
struct PlanSummary {
  std::int64_t num_skipped = 0;  ///< points that cannot run
  std::int64_t most_trials = 0;  ///< of the others; with a stop rule, at most
  double most_bytes = 0;         ///< of memory that the largest of them needs at least
};

/// Called for every point with the reason to skip it.
using PointVisitor = std::function<void(std::int64_t index, const std::optional<std::string>& skip_reason)>;

/// Goes through all points in order. Errors: as Plan::skip_reason.
PlanSummary summarize(const Plan& plan, const PointVisitor& visit = {});

/// What an archive of the plan says about its time.
struct MeasuredTime {
  std::int64_t num_measured = 0;  ///< points of the archive that ran to their end
  double wall_seconds = 0;        ///< of all runs of the archive
};

/// Errors: InputError for a file that is no archive, holds another plan, or has no point that ran.
MeasuredTime measured_time(const Plan& plan, const std::filesystem::path& archive);

}  // namespace kvarium
