#include "experiments/commands/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/commands/text_table.hpp"
#include "experiments/plan/point_identity.hpp"
#include "experiments/plan/skip_reasons.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t most_rows = 50;

Json point_report(const Plan& plan, std::int64_t index) {
  Json values = Json::object();
  const std::vector<const Field*> fields = plan.swept_fields();
  const std::vector<FieldValue> swept = plan.swept_values(index);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::visit([&](const auto& value) { values[fields[i]->path] = value; }, swept[i]);
  }
  const auto reason = plan.skip_reason(index);
  return {{"point", index},
          {"id", id_text(plan.point_ids()[static_cast<std::size_t>(index)])},
          {"values", std::move(values)},
          {"skip_reason", reason ? Json(*reason) : Json(nullptr)}};
}

TextTable point_table(const Plan& plan, std::int64_t num_rows) {
  std::vector<std::string> headings{"point", "id"};
  for (const Field* field : plan.swept_fields()) headings.push_back(field->path);
  headings.emplace_back("skipped because");
  TextTable table(headings);
  for (std::int64_t index = 0; index < num_rows; ++index) {
    std::vector<std::string> cells{std::to_string(index), id_text(plan.point_ids()[static_cast<std::size_t>(index)])};
    for (const FieldValue& value : plan.swept_values(index)) cells.push_back(to_string(value));
    cells.push_back(plan.skip_reason(index).value_or(""));
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

Json plan_counts(const Plan& plan) {
  const ExperimentConfig& experiment = plan.experiment();
  return {{"name", experiment.name},
          {"kind", experiment.point.kind},
          {"num_points", plan.num_points()},
          {"num_skipped", count_skipped(plan)},
          {"replicates", experiment.point.replicates.count},
          {"fingerprint", plan.fingerprint()}};
}

std::string plan_line(const Plan& plan) {
  const Json counts = plan_counts(plan);
  const auto count = [&](const char* name) { return counts.at(name).get<std::int64_t>(); };
  return fmt::format("{}: kind {}, points {} (skipped {}), replicates {}", plan.experiment().name,
                     plan.experiment().point.kind, count("num_points"), count("num_skipped"), count("replicates"));
}

Json plan_report(const Plan& plan) {
  Json report = plan_counts(plan);
  report["points"] = Json::array();
  for (std::int64_t index = 0; index < plan.num_points(); ++index) {
    report["points"].push_back(point_report(plan, index));
  }
  return report;
}

std::string plan_text(const Plan& plan) {
  const std::int64_t num_rows = std::min(plan.num_points(), most_rows);
  std::string text = plan_line(plan) + "\n\n" + point_table(plan, num_rows).text();
  if (num_rows < plan.num_points()) {
    text += fmt::format("and {} more points; --json lists all\n", plan.num_points() - num_rows);
  }
  return text;
}

}  // namespace kvarium
