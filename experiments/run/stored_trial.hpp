#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "experiments/results/point_tables.hpp"
#include "experiments/run/stored_results.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// One trial of an archive.
struct StoredTrial {
  std::int64_t point = 0;
  /// Number within the point.
  std::int64_t trial = 0;
  /// Its row of trials and its rows of faults, in the kind's columns; the other tables are empty.
  PointTables rows;
  /// The variant that ran, where the plan leaves variants open.
  std::optional<VariantChoice> choice;
};

/// An archive whose trials can be run again; input files are looked for where its last run found them.
/// Errors: InputError when the archive is damaged or an input file changed since.
StoredResults read_replayable(const std::filesystem::path& archive);

/// Rows of /trials.
std::int64_t count_trials(const StoredResults& stored);

/// Trial `row` of /trials. Errors: InputError when there is none; `place` is the archive's name.
StoredTrial find_trial(const StoredResults& stored, const std::string& place, std::int64_t row);

}  // namespace kvarium
