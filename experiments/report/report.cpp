#include "experiments/report/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/report/report_text.hpp"
#include "experiments/run/result_report.hpp"

namespace kvarium {
namespace {

/// The archive's name, what it is of, and how its points ended.
std::string heading(const std::filesystem::path& archive, const StoredResults& stored) {
  const ExperimentConfig& experiment = stored.plan.experiment();
  std::string points = fmt::format("{} points: {}", stored.plan.num_points(), status_counts(stored.results.states()));
  return fmt::format("{}: {}, kind {}, {}\n\n", archive.string(), experiment.name, experiment.point.kind, points);
}

std::string text(const StoredResults& stored) {
  if (stored.schema.report.shares.empty()) return results_text(stored.plan, stored.results);
  return crossed_text(stored) + reasons_text(stored.results);
}

nlohmann::ordered_json json(const std::filesystem::path& archive, const StoredResults& stored) {
  nlohmann::ordered_json all{{"archive", archive.string()},
                             {"name", stored.plan.experiment().name},
                             {"kind", stored.plan.experiment().point.kind},
                             {"points", stored.plan.num_points()},
                             {"status", status_counts(stored.results.states())}};
  all.update(crossed_json(stored));
  return all;
}

}  // namespace

int report_archive(const std::filesystem::path& archive, OutputForm form) {
  const StoredResults stored = read_results(archive);
  if (form == OutputForm::json) {
    constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
    fmt::print("{}\n", json(archive, stored).dump(2, ' ', false, replace));
  } else {
    fmt::print("{}{}", heading(archive, stored), text(stored));
  }
  return 0;
}

}  // namespace kvarium
