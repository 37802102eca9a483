#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/commands/experiment_options.hpp"
#include "experiments/commands/plan_report.hpp"
#include "experiments/config/devices.hpp"
#include "experiments/run/runner.hpp"
#include "experiments/tuning/stored_tunings.hpp"
#include "experiments/tuning/tuning_output.hpp"
#include "experiments/tuning/tuning_plan.hpp"
#include "experiments/tuning/tuning_report.hpp"

namespace kvarium {
namespace {

constexpr int stopped_early = 3;

struct TuneArguments {
  ExperimentOptions experiment;
  std::filesystem::path output;
  bool is_dry = false;
};

/// Where the result counts: `auto` looks into one folder alone.
void say_where(const std::filesystem::path& output) {
  const std::filesystem::path folder = tuning_folder();
  const std::string here = "variant.family auto consults this archive from now on";
  const std::string elsewhere =
      folder.empty() ? "set KVARIUM_CACHE to have tunings consulted" : "copy it into " + folder.string();
  std::error_code error;
  const bool is_consulted = std::filesystem::equivalent(output.parent_path(), folder, error);
  fmt::print("{}\n", is_consulted ? here : "variant.family auto does not consult it there; " + elsewhere);
}

int tune(const TuneArguments& arguments, const std::vector<std::string>& command_line) {
  ExperimentConfig experiment = load_experiment(arguments.experiment);
  if (!arguments.is_dry) require_device(experiment.point.device);
  const TuningPlan tuning = make_tuning_plan(std::move(experiment));
  for (const std::string& line : tuning.left_out) fmt::print(stderr, "left out: {}\n", line);
  if (arguments.is_dry) {
    fmt::print("{}", plan_text(tuning.plan, summarize(tuning.plan), {}));
    return 0;
  }
  const std::filesystem::path output =
      arguments.output.empty() ? new_tuning_path(tuning.plan.experiment().name) : arguments.output;
  RunOptions options{output, command_line};
  options.continuation = fmt::format("the same command with --output {} continues it", output.string());
  options.report = ranking_text;
  const int exit_code = run_experiment(tuning.plan, options);
  if (exit_code != stopped_early) say_where(output);
  return exit_code;
}

}  // namespace

void add_tune_command(CLI::App& program, Selection& selection) {
  CLI::App* command =
      program.add_subcommand("tune", "Measure every variant at the shapes of an experiment, for variant.family auto");
  const auto arguments = std::make_shared<TuneArguments>();
  add_experiment_options(*command, arguments->experiment);
  add_output_option(*command, arguments->output,
                    "Archive to write, or to continue; default: a new one in the tuning folder");
  command->add_flag("--dry-run", arguments->is_dry, "Print what would be measured; compiles, but needs no device");
  command->callback([arguments, &selection] {
    selection.uses_kokkos = !arguments->is_dry;
    selection.action = [arguments, &selection] { return tune(*arguments, selection.arguments); };
  });
}

}  // namespace kvarium
