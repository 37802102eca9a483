#pragma once

#include <filesystem>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// An archive with its plan made again and every finished point's rows.
struct StoredResults {
  ArchiveContent content;
  Plan plan;
  KindSchema schema;
  ResultTables results;
};

/// Errors: InputError for a missing, truncated or foreign file, or one whose text no longer gives its plan.
StoredResults read_results(const std::filesystem::path& archive);

}  // namespace kvarium
