#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kvarium {

/// What the command line asks for, filled in while it is parsed.
struct Selection {
  std::vector<std::string> arguments;  ///< the command line as given, program first
  std::function<int()> action;         ///< returns the exit code
  /// Kokkos takes all cores and a moment to start; commands that compute nothing do without.
  bool uses_kokkos = false;
};

// Each adds one command to the program.

/// Runs or continues an experiment.
void add_run_command(CLI::App& program, Selection& selection);
/// Prints the points of an experiment.
void add_plan_command(CLI::App& program, Selection& selection);
/// Reports every mistake in an experiment file.
void add_validate_command(CLI::App& program, Selection& selection);
/// Measures variants at the shapes of an experiment and keeps the result for `variant.family: auto`.
void add_tune_command(CLI::App& program, Selection& selection);
/// Prints what this build has: variants, checksums, faults, kinds, devices, tunings, keys.
void add_list_command(CLI::App& program, Selection& selection);
/// Prints what an archive holds and where it comes from.
void add_inspect_command(CLI::App& program, Selection& selection);
/// Prints the tables that an archive answers with.
void add_report_command(CLI::App& program, Selection& selection);
/// Makes an archive of journals.
void add_recover_command(CLI::App& program, Selection& selection);
/// Runs one stored trial again and compares.
void add_replay_command(CLI::App& program, Selection& selection);

}  // namespace kvarium
