#include "experiments/run/archive_publisher.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/run/archived_config.hpp"
#include "experiments/run/archived_folder.hpp"

namespace kvarium {

namespace {

constexpr auto shortest_interval = std::chrono::seconds(2);
/// Writing takes at most about one part in so many of the run.
constexpr int run_per_writing = 20;

}  // namespace

bool is_complete(const ResultTables& results) {
  return std::none_of(results.states().begin(), results.states().end(),
                      [](const PointState& state) { return state.status == PointStatus::unfinished; });
}

ArchivePublisher::ArchivePublisher(std::filesystem::path path, const Plan& plan, std::vector<std::string> arguments,
                                   ArchiveContent previous, ProvenanceRecorder provenance)
    : path_(std::move(path)), plan_(plan), base_(std::move(previous)), provenance_(std::move(provenance)) {
  const std::string started = utc_text(provenance_.started());
  base_.title = plan.experiment().name;
  if (base_.created.empty()) base_.created = started;
  base_.history.push_back(started + " " + join(arguments, " "));
  base_.config = archived_config(plan, arguments);
  base_.tables.clear();
}

ArchiveContent ArchivePublisher::content(const ResultTables& results, const std::string& exit_reason) const {
  ArchiveContent content = base_;
  content.complete = is_complete(results);
  RunProvenance run = provenance_.facts(exit_reason);
  run.emplace_back(configuration_file_fact, plan_.experiment().file);
  content.runs.push_back(std::move(run));
  content.tables = results.archive_tables();
  content.tables.insert(content.tables.begin(), points_table(plan_, results.states()));
  return content;
}

void ArchivePublisher::publish(const ResultTables& results, const std::string& exit_reason) {
  const Clock::time_point start = Clock::now();
  write_archive(path_, content(results, exit_reason));
  last_end_ = Clock::now();
  last_duration_ = last_end_ - start;
}

bool ArchivePublisher::publish_if_due(const ResultTables& results) {
  const Clock::duration interval = std::max<Clock::duration>(shortest_interval, last_duration_ * run_per_writing);
  if (Clock::now() - last_end_ < interval) return false;
  publish(results, "running");
  return true;
}

}  // namespace kvarium
