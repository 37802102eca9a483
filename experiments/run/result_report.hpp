#pragma once

#include <filesystem>
#include <string>

#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// Table of the points: number, swept values, status, trials, the variant chosen where the plan leaves it open, and the
/// columns of the summaries that the kind prints, a rate with its interval in one; then each reason why points did not
/// pass. Long plans are cut short.
std::string results_text(const Plan& plan, const ResultTables& results);

/// Each reason why points did not pass, a line with the number of points it holds for.
std::string reasons_text(const ResultTables& results);

/// "34 passed, 2 skipped": statuses that occur, with their counts.
std::string status_counts(const std::vector<PointState>& states);

/// 3 when points are unfinished, 1 when one failed or was wrong, else 0.
int exit_code(const ResultTables& results);

/// Lines that say where the archive lies and what to do with it.
std::string archive_text(const std::filesystem::path& path);

}  // namespace kvarium
