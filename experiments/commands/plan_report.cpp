#include "experiments/commands/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/commands/text_table.hpp"
#include "experiments/plan/canonical_json.hpp"
#include "experiments/plan/point_identity.hpp"
#include "experiments/plan/skip_reasons.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t longest_table = 50;
constexpr std::int64_t first_rows = 10;
constexpr std::int64_t last_rows = 5;

void add_rows(const Plan& plan, std::int64_t begin, std::int64_t end, TextTable& table) {
  SkipReasons reasons(plan);
  for (std::int64_t index = begin; index < end; ++index) {
    std::vector<std::string> cells{std::to_string(index), id_text(plan.point_ids()[static_cast<std::size_t>(index)])};
    for (const FieldValue* value : plan.values_at(index)) cells.push_back(to_string(*value));
    cells.push_back(reasons.at(index).value_or(""));
    table.add(std::move(cells));
  }
}

std::string point_table(const Plan& plan) {
  std::vector<std::string> headings{"point", "id"};
  for (const Field* field : plan.swept_fields()) headings.push_back(field->path);
  headings.emplace_back("skipped because");
  TextTable table(headings);
  const std::int64_t count = plan.num_points();
  if (count <= longest_table) {
    add_rows(plan, 0, count, table);
    return table.text();
  }
  add_rows(plan, 0, first_rows, table);
  std::vector<std::string> gap(headings.size());
  gap.front() = "...";
  table.add(std::move(gap));
  add_rows(plan, count - last_rows, count, table);
  return table.text() + fmt::format("{} points are left out; --write FILE lists all\n", count - first_rows - last_rows);
}

std::string bytes_text(double bytes) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  return bytes < 1024.0 * mebibyte ? fmt::format("{:.3g} MiB", bytes / mebibyte)
                                   : fmt::format("{:.3g} GiB", bytes / mebibyte / 1024.0);
}

std::string seconds_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

double estimated_seconds(std::int64_t num_points, const MeasuredTime& time) {
  return time.wall_seconds / static_cast<double>(time.num_measured) * static_cast<double>(num_points);
}

std::string time_text(std::int64_t num_runnable, const std::optional<MeasuredTime>& time) {
  if (!time) return "unknown until a point has run; --from ARCHIVE reads what a run of this plan took";
  return fmt::format(
      "about {} for the {} points that can run, {} for those that have not ({} took {})",
      seconds_text(estimated_seconds(num_runnable, *time)), num_runnable,
      seconds_text(estimated_seconds(std::max<std::int64_t>(0, num_runnable - time->num_measured), *time)),
      time->num_measured, seconds_text(time->wall_seconds));
}

}  // namespace

Json plan_counts(const Plan& plan, const PlanSummary& summary, const std::optional<MeasuredTime>& time) {
  const ExperimentConfig& experiment = plan.experiment();
  const std::int64_t num_runnable = plan.num_points() - summary.num_skipped;
  return {{"name", experiment.name},
          {"kind", experiment.point.kind},
          {"num_points", plan.num_points()},
          {"num_skipped", summary.num_skipped},
          {"replicates", experiment.point.replicates.count},
          {"fingerprint", plan.fingerprint()},
          {"most_trials", summary.most_trials},
          {"most_memory_bytes", summary.most_bytes},
          {"estimated_seconds", time ? Json(estimated_seconds(num_runnable, *time)) : Json(nullptr)}};
}

std::string plan_line(const Plan& plan, const PlanSummary& summary) {
  return fmt::format("{}: kind {}, points {} (skipped {}), replicates {}", plan.experiment().name,
                     plan.experiment().point.kind, plan.num_points(), summary.num_skipped,
                     plan.experiment().point.replicates.count);
}

std::string plan_text(const Plan& plan, const PlanSummary& summary, const std::optional<MeasuredTime>& time) {
  const bool may_stop = plan.experiment().point.replicates.interval_width > 0;
  return fmt::format("{}\ntrials: {}{}\nmemory: {} at least, for the largest point\ntime: {}\n\n{}",
                     plan_line(plan, summary), may_stop ? "at most " : "", summary.most_trials,
                     bytes_text(summary.most_bytes), time_text(plan.num_points() - summary.num_skipped, time),
                     point_table(plan));
}

std::string point_line(const Plan& plan, std::int64_t index, const std::optional<std::string>& skip_reason) {
  std::string line = fmt::format(R"({{"point":{},"id":"{}","values":{{)", index,
                                 id_text(plan.point_ids()[static_cast<std::size_t>(index)]));
  const std::vector<const FieldValue*> swept = plan.values_at(index);
  for (std::size_t i = 0; i < swept.size(); ++i) {
    if (i > 0) line += ',';
    append_canonical_text(plan.swept_fields()[i]->path, line);
    line += ':';
    append_canonical_value(*swept[i], line);
  }
  line += R"(},"skip_reason":)";
  if (skip_reason) {
    append_canonical_text(*skip_reason, line);
  } else {
    line += "null";
  }
  return line += '}';
}

}  // namespace kvarium
