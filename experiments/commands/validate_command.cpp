#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/check.hpp"
#include "experiments/commands/command.hpp"
#include "experiments/commands/experiment_options.hpp"
#include "experiments/commands/plan_report.hpp"
#include "experiments/commands/standard_streams.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  std::vector<std::filesystem::path> files;
  ExperimentOptions experiment;  ///< what is asked of each file
  bool as_json = false;
};

/// What is right about a file, or what is wrong.
struct Finding {
  Json report;
  std::string line;  ///< empty: invalid
  std::string errors;
};

Json error_report(const std::string& errors) {
  Json lines = Json::array();
  std::istringstream text(errors);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return {{"valid", false}, {"errors", std::move(lines)}};
}

Finding validate_file(const ExperimentOptions& options) {
  try {
    const Plan plan(load_experiment(options));
    const PlanSummary summary = summarize(plan);
    // A plan that can run nothing says why.
    if (summary.num_skipped == plan.num_points()) plan.validate_runnable();
    Json report{{"valid", true}};
    report.update(plan_counts(plan, summary));
    return {std::move(report), plan_line(plan, summary), ""};
  } catch (const InputError& error) {
    return {error_report(error.what()), "", error.what()};
  }
}

void print_json(const std::vector<Finding>& findings, const ValidateArguments& arguments) {
  Json reports = Json::array();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Json report{{"file", arguments.files[i].string()}};
    report.update(findings[i].report);
    reports.push_back(std::move(report));
  }
  const Json& all = findings.size() == 1 ? findings.front().report : reports;
  fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

int validate(const ValidateArguments& arguments) {
  std::vector<Finding> findings;
  bool is_valid = true;
  for (const std::filesystem::path& file : arguments.files) {
    ExperimentOptions options = arguments.experiment;
    options.file = file;
    findings.push_back(validate_file(options));
    const Finding& finding = findings.back();
    is_valid = is_valid && !finding.line.empty();
    if (arguments.as_json) continue;
    if (finding.line.empty()) {
      print_error(finding.errors);
    } else {
      fmt::print("valid: {}\n", finding.line);
    }
  }
  if (arguments.as_json) print_json(findings, arguments);
  return is_valid ? 0 : 2;
}

}  // namespace

void add_validate_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("validate", "Check experiments and print every error in them");
  const auto arguments = std::make_shared<ValidateArguments>();
  command->add_option("FILE", arguments->files, "Experiments, YAML files")->required();
  add_override_options(*command, arguments->experiment);
  command->add_flag("--json", arguments->as_json, "Print JSON");
  command->callback([arguments, &selection] { selection.action = [arguments] { return validate(*arguments); }; });
}

}  // namespace kvarium
