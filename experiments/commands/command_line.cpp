#include "experiments/commands/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <sstream>

#include "core/check.hpp"
#include "experiments/archive/build_facts.hpp"
#include "experiments/commands/command.hpp"

namespace kvarium {
namespace {

constexpr int internal_error = 1;
constexpr int wrong_input = 2;

/// Prints each line of `message` as an error of the program.
void print_error(const std::string& message) {
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) fmt::print(stderr, "kvarium: {}\n", line);
}

int report(const std::string& message, int exit_code) {
  print_error(message);
  return exit_code;
}

void start_kokkos(std::optional<Kokkos::ScopeGuard>& guard) {
  if (Kokkos::is_initialized()) return;
  // Kokkos warns about unbound threads, which are right here: runs share their machine.
  setenv("KOKKOS_DISABLE_WARNINGS", "true", 0);
  guard.emplace();
}

int run_selection(const Selection& selection) {
  std::optional<Kokkos::ScopeGuard> kokkos;
  if (selection.uses_kokkos) start_kokkos(kokkos);
  const int exit_code = selection.action();
  if (std::fflush(stdout) != 0) return report("standard output cannot be written; check the disk", internal_error);
  return exit_code;
}

int run_guarded(const Selection& selection) {
  try {
    return run_selection(selection);
  } catch (const InputError& error) {
    return report(error.what(), wrong_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory; use a smaller cache or batch", internal_error);
  } catch (const std::exception& error) {
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
  add_list_command(program, selection);
  add_inspect_command(program, selection);
  add_replay_command(program, selection);
}

/// "kvarium run --help" for the command that was named, for a hint after a wrong command line.
std::string help_command(const CLI::App& program) {
  const std::vector<CLI::App*> named = program.get_subcommands();
  return named.empty() ? "kvarium --help" : fmt::format("kvarium {} --help", named.front()->get_name());
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments) {
  CLI::App program;
  Selection selection;
  selection.arguments = arguments;
  describe_program(program, selection);
  try {
    // The parser takes the last argument first, and no program name.
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend() - (arguments.empty() ? 0 : 1)));
  } catch (const CLI::Success& request) {
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return report(fmt::format("{}; see '{}'", error.what(), help_command(program)), wrong_input);
  }
  return run_guarded(selection);
}

}  // namespace kvarium
