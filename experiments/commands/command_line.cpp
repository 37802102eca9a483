#include "experiments/commands/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <new>
#include <optional>
#include <string_view>

#include "core/check.hpp"
#include "core/host_runtime.hpp"
#include "experiments/archive/build_facts.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/commands/argument_problems.hpp"
#include "experiments/commands/command.hpp"
#include "experiments/commands/standard_streams.hpp"

namespace kvarium {
namespace {

constexpr int internal_error = 1;
constexpr int wrong_input = 2;

int report(const std::string& message, int exit_code) {
  print_error(message);
  return exit_code;
}

int report_lost_output() {
  return report("standard output cannot be written; check the disk or the program that reads it", internal_error);
}

void start_kokkos(std::optional<Kokkos::ScopeGuard>& guard) {
  if (Kokkos::is_initialized()) return;
  validate_host_threads();
  // Kokkos warns about unbound threads, which are right here: runs share their machine.
  setenv("KOKKOS_DISABLE_WARNINGS", "true", 0);
  try {
    guard.emplace();
  } catch (const std::exception& error) {
    const std::string_view reason(error.what());
    throw InputError(fmt::format("Kokkos does not start with these environment variables KOKKOS_*: {}; unset them",
                                 reason.substr(0, reason.find('\n'))));
  }
}

int run_selection(const Selection& selection) {
  std::optional<Kokkos::ScopeGuard> kokkos;
  if (selection.uses_kokkos) start_kokkos(kokkos);
  const int exit_code = selection.action();
  return is_output_written() ? exit_code : report_lost_output();
}

int run_guarded(const Selection& selection) {
  try {
    return run_selection(selection);
  } catch (const InputError& error) {
    return report(error.what(), wrong_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory; use a smaller cache or batch", internal_error);
  } catch (const std::exception& error) {
    if (!is_output_written()) return report_lost_output();
    return report(fmt::format("internal error: {}; please report it", error.what()), internal_error);
  }
}

/// Version and commit of this build.
std::string version_text() {
  std::string version;
  for (const auto& [name, value] : build_facts()) {
    if (name == "kvarium_version") version = "kvarium " + to_string(value);
    if (name == "commit") version += " (commit " + to_string(value) + ")";
  }
  return version;
}

void describe_program(CLI::App& program, Selection& selection) {
  program.name("kvarium");
  program.description("Experiments on paged KV caches: attention, checksums and the faults they catch");
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  add_run_command(program, selection);
  add_plan_command(program, selection);
  add_validate_command(program, selection);
  add_tune_command(program, selection);
  add_list_command(program, selection);
  add_inspect_command(program, selection);
  add_replay_command(program, selection);
  add_report_command(program, selection);
  add_recover_command(program, selection);
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments) {
  leave_hdf5_files_at_exit();
  CLI::App program;
  Selection selection;
  selection.arguments = arguments;
  describe_program(program, selection);
  try {
    // The parser takes the last argument first, and no program name.
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend() - (arguments.empty() ? 0 : 1)));
  } catch (const CLI::Success& request) {
    program.exit(request);
    return is_output_written() ? 0 : report_lost_output();
  } catch (const CLI::ParseError& error) {
    return report(argument_problem(program, error), wrong_input);
  }
  return run_guarded(selection);
}

}  // namespace kvarium
