#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "experiments/archive/archive_content.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/results/point_tables.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// One trial of an archive and what is needed to run it again.
struct StoredTrial {
  Plan plan;
  std::int64_t point = 0;
  /// Number within the point.
  std::int64_t trial = 0;
  /// Its row of trials and its rows of faults, in the kind's columns; the other tables are empty.
  PointTables rows;
  /// The variant that ran, where the plan leaves variants open.
  std::optional<VariantChoice> choice;
};

/// Finds trial `row` (of /trials) of an archive; input files are looked for where its last run found them.
/// Errors: InputError when there is no such trial, the archive is damaged, or an input file changed since.
StoredTrial find_trial(const std::filesystem::path& archive, std::int64_t row);

}  // namespace kvarium
