#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/check.hpp"
#include "experiments/commands/command.hpp"
#include "experiments/commands/experiment_options.hpp"
#include "experiments/commands/plan_report.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {
namespace {

struct ValidateArguments {
  ExperimentOptions experiment;
  bool as_json = false;
};

nlohmann::ordered_json error_report(const InputError& error) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  std::istringstream text(error.what());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return {{"valid", false}, {"errors", std::move(lines)}};
}

/// Errors: InputError.
Plan checked_plan(const ExperimentOptions& options) {
  Plan plan(load_experiment(options));
  plan.validate_runnable();
  return plan;
}

int validate_as_json(const ValidateArguments& arguments) {
  nlohmann::ordered_json report{{"valid", true}};
  int exit_code = 0;
  try {
    report.update(plan_counts(checked_plan(arguments.experiment)));
  } catch (const InputError& error) {
    report = error_report(error);
    exit_code = 2;
  }
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return exit_code;
}

int validate(const ValidateArguments& arguments) {
  if (arguments.as_json) return validate_as_json(arguments);
  fmt::print("valid: {}\n", plan_line(checked_plan(arguments.experiment)));
  return 0;
}

}  // namespace

void add_validate_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("validate", "Check an experiment and print every error in it");
  const auto arguments = std::make_shared<ValidateArguments>();
  add_experiment_options(*command, arguments->experiment);
  command->add_flag("--json", arguments->as_json, "Print JSON");
  command->callback([arguments, &selection] { selection.action = [arguments] { return validate(*arguments); }; });
}

}  // namespace kvarium
