#pragma once

#include <filesystem>
#include <string>
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
  /// Points of the archive, and of journals that killed runs have left.
  ResultTables results;
  /// Those journals: once an archive holds their points they are of no more use.
  std::vector<std::filesystem::path> journals = {};
  /// Those of them that are damaged, and keep what could not be read.
  std::vector<std::filesystem::path> damaged_journals = {};
  /// What could not be read of the journals, one line each.
  std::vector<std::string> cuts = {};
};

/// Once an archive holds the points of the journals: removes those that are whole, sets the damaged ones aside and says
/// so on stderr.
void finish_journals(const OutputState& state);

/// Looks at the output of a run and the journals beside it. Never writes.
/// Errors: InputError when something other than an archive or journal of this plan, made with these input files, is
/// there; for another plan with one line for each key that differs.
OutputState examine_output(const std::filesystem::path& output, const Plan& plan, const KindSchema& schema,
                           const std::vector<FileDigest>& inputs);

}  // namespace kvarium
