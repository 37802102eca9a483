#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kvarium {

class Plan;
class ResultTables;

/// How `kvarium run` was called.
struct RunOptions {
  std::filesystem::path output;        ///< archive to write; empty: results/NAME.kv.h5
  std::vector<std::string> arguments;  ///< command line as given, kept as provenance
  /// How a run that was stopped is continued, in words.
  std::string continuation = "the same command continues the run";
  /// What is printed of the results; null: results_text().
  std::string (*report)(const Plan& plan, const ResultTables& results) = nullptr;
};

/// Runs (or continues) the points of `plan` into an archive: points with a Plan::skip_reason are recorded as
/// skipped, all others go to the experiment's kind. Tables on stdout, progress on stderr.
/// Returns the exit code: 0 complete, 1 a point failed or was wrong, 3 stopped early and resumable.
/// Errors: InputError (exit code 2) for an output that is foreign, damaged, of another plan or unwritable.
/// Precondition: Kokkos is initialised.
int run_experiment(const Plan& plan, const RunOptions& options);

/// Makes an archive of what the journals beside `file` (an output, or one of its journals) hold, and of the archive
/// that is there, without running anything. Returns the exit code as run_experiment does. Errors: InputError when there
/// is no journal, one is of another plan, or a run is writing it.
int recover_archive(const std::filesystem::path& file, const std::vector<std::string>& arguments);

/// How results are printed.
enum class OutputForm { text, json };

/// Prints what an archive is, its plan, status counts, columns with units, and provenance. Returns the exit code.
/// Errors: InputError for a missing, truncated or foreign file.
int inspect_archive(const std::filesystem::path& archive, OutputForm form);

/// Runs one stored trial again and compares it with its row. Returns 0 when equal, 1 when columns differ.
/// Errors: InputError as inspect_archive, or when there is no such trial. Precondition: Kokkos is initialised.
int replay_trial(const std::filesystem::path& archive, std::int64_t trial, OutputForm form);

/// Trials of an archive drawn at random; all of them where there are fewer.
struct ReplaySample {
  std::int64_t count = 0;
  std::uint64_t seed = 0;
};

/// Runs stored trials again, compares each with its row, and prints how many were equal and which were not.
/// Returns and errors as replay_trial.
int replay_sample(const std::filesystem::path& archive, const ReplaySample& sample, OutputForm form);

}  // namespace kvarium
