#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/commands/experiment_options.hpp"
#include "experiments/commands/plan_report.hpp"
#include "experiments/config/devices.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {
namespace {

struct RunArguments {
  ExperimentOptions experiment;
  std::filesystem::path output;
  bool is_dry = false;
};

int run(const RunArguments& arguments, const std::vector<std::string>& command_line) {
  const Plan plan(load_experiment(arguments.experiment));
  if (arguments.is_dry) {
    fmt::print("{}", plan_text(plan, summarize(plan), {}));
    return 0;
  }
  require_device(plan.experiment().point.device);
  plan.validate_runnable();
  return run_experiment(plan, {arguments.output, command_line});
}

}  // namespace

void add_run_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("run", "Run an experiment, or continue it, into an archive");
  const auto arguments = std::make_shared<RunArguments>();
  add_experiment_options(*command, arguments->experiment);
  add_output_option(*command, arguments->output, "Archive to write; default: results/NAME.kv.h5");
  command->add_flag("--dry-run", arguments->is_dry, "Print the plan and run nothing");
  command->callback([arguments, &selection] {
    selection.uses_kokkos = !arguments->is_dry;
    selection.action = [arguments, &selection] { return run(*arguments, selection.arguments); };
  });
}

}  // namespace kvarium
