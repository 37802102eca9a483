#include "experiments/run/archive_publisher.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/run/archived_config.hpp"
#include "experiments/run/archived_folder.hpp"
#include "experiments/run/point_times.hpp"
#include "experiments/run/run_phase.hpp"

namespace kvarium {

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

RunProvenance ArchivePublisher::run_facts(const std::string& exit_reason) const {
  RunProvenance run = provenance_.facts(exit_reason);
  run.emplace_back(configuration_file_fact, plan_.experiment().file);
  return run;
}

ArchiveContent ArchivePublisher::content(const ResultTables& results, const std::string& exit_reason) const {
  ArchiveContent content = base_;
  content.complete = is_complete(results);
  content.runs.push_back(run_facts(exit_reason));
  content.tables = results.archive_tables();
  content.tables.insert(content.tables.begin(), points_table(plan_, results.states()));
  content.tables.push_back(point_times_table(results.states()));
  return content;
}

void ArchivePublisher::publish(const ResultTables& results, const std::string& exit_reason) const {
  const PhaseMark phase(RunPhase::publish);
  write_archive(path_, content(results, exit_reason));
}

JournalHeader ArchivePublisher::journal_header() const {
  return {base_.title, base_.created, base_.history.back(), base_.config, run_facts("running")};
}

}  // namespace kvarium
