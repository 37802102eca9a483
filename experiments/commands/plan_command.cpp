#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/commands/command.hpp"
#include "experiments/commands/experiment_options.hpp"
#include "experiments/commands/plan_report.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {
namespace {

struct PlanArguments {
  ExperimentOptions experiment;
  bool as_json = false;
};

int print_plan(const PlanArguments& arguments) {
  const Plan plan(load_experiment(arguments.experiment));
  fmt::print("{}", arguments.as_json ? plan_report(plan).dump(2) + "\n" : plan_text(plan));
  return 0;
}

}  // namespace

void add_plan_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("plan", "Show the points of an experiment and which will be skipped");
  const auto arguments = std::make_shared<PlanArguments>();
  add_experiment_options(*command, arguments->experiment);
  command->add_flag("--json", arguments->as_json, "Print JSON, with every point");
  command->callback([arguments, &selection] { selection.action = [arguments] { return print_plan(*arguments); }; });
}

}  // namespace kvarium
