#pragma once

#include <filesystem>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/archive/file_digest.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// What stands at the output of a run before it begins.
struct OutputState {
  /// Content of an archive of the same plan; empty when there is none. Its tables are moved into `results`.
  ArchiveContent previous;
  ResultTables results;
};

/// Looks at the output of a run. Never writes.
/// Errors: InputError when something other than an archive of this plan, made with these input files, is there; for
/// another plan with one line for each key that differs.
OutputState examine_output(const std::filesystem::path& output, const Plan& plan, const KindSchema& schema,
                           const std::vector<FileDigest>& inputs);

}  // namespace kvarium
