#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "experiments/commands/command.hpp"
#include "experiments/commands/experiment_options.hpp"
#include "experiments/commands/plan_report.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {
namespace {

struct PlanArguments {
  ExperimentOptions experiment;
  std::filesystem::path measured;
  std::filesystem::path written;
  bool as_json = false;
};

/// Writes every point as a line of JSON while the plan is gone through.
PlanSummary write_points(const Plan& plan, const std::filesystem::path& file) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  const PlanSummary summary = summarize(
      plan, [&](std::int64_t index, const auto& reason) { stream << point_line(plan, index, reason) << '\n'; });
  stream.close();
  KVARIUM_VALIDATE(!stream.fail(), file.string(), ": cannot be written (", std::strerror(errno),
                   "); choose another file");
  return summary;
}

/// The counts with every point, a line each, so that a long plan is printed as it is gone through.
void print_json(const Plan& plan, const nlohmann::ordered_json& counts) {
  std::string text = counts.dump(2);
  text.resize(text.rfind('\n'));
  fmt::print("{},\n  \"points\": [", text);
  summarize(plan, [&](std::int64_t index, const auto& reason) {
    fmt::print("{}\n    {}", index == 0 ? "" : ",", point_line(plan, index, reason));
  });
  fmt::print("\n  ]\n}}\n");
}

int print_plan(const PlanArguments& arguments) {
  const Plan plan(load_experiment(arguments.experiment));
  std::optional<MeasuredTime> time;
  if (!arguments.measured.empty()) time = measured_time(plan, arguments.measured);
  const PlanSummary summary = arguments.written.empty() ? summarize(plan) : write_points(plan, arguments.written);
  if (arguments.as_json) {
    print_json(plan, plan_counts(plan, summary, time));
  } else {
    fmt::print("{}", plan_text(plan, summary, time));
  }
  return 0;
}

}  // namespace

void add_plan_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand(
      "plan", "Show the points of an experiment, which will be skipped, and what running the others takes");
  const auto arguments = std::make_shared<PlanArguments>();
  add_experiment_options(*command, arguments->experiment);
  command->add_option("--from", arguments->measured, "Estimate the time from an archive of this plan");
  command->add_option("--write", arguments->written, "Write every point to a file, a line of JSON each");
  command->add_flag("--json", arguments->as_json, "Print JSON, with every point");
  command->callback([arguments, &selection] { selection.action = [arguments] { return print_plan(*arguments); }; });
}

}  // namespace kvarium
