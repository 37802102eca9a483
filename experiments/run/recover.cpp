#include <fmt/format.h>

#include "core/check.hpp"
#include "experiments/archive/atomic_file.hpp"
#include "experiments/journal/journal_name.hpp"
#include "experiments/journal/journal_reader.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/run/archive_publisher.hpp"
#include "experiments/run/archived_config.hpp"
#include "experiments/run/archived_folder.hpp"
#include "experiments/run/output_lock.hpp"
#include "experiments/run/output_state.hpp"
#include "experiments/run/result_report.hpp"
#include "experiments/run/run_phase.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {

namespace {

/// The plan that the journals were written for, of their own configuration.
Plan journalled_plan(const std::filesystem::path& output, const std::filesystem::path& journal) {
  const JournalHeader header = read_journal_header(journal);
  return archived_plan(journal.string(), header.config, archived_folder(output, {header.run}));
}

}  // namespace

int recover_archive(const std::filesystem::path& file, const std::vector<std::string>& arguments) {
  const std::filesystem::path output = is_journal_name(file) ? archive_of_journal(file) : file;
  KVARIUM_VALIDATE(!find_journals(output).empty(), output.string(),
                   ": no journal lies beside it; name the output, or a journal, of a run that was killed");
  const OutputLock lock(output);
  remove_partial_files(output);
  const Plan plan = journalled_plan(output, find_journals(output).front());
  const PhaseMark phase(RunPhase::recover);
  OutputState state =
      examine_output(output, plan, experiment_kinds().at(plan.experiment().point.kind).schema(), /*inputs=*/{});
  for (const std::string& cut : state.cuts) fmt::print(stderr, "{}\n", cut);
  const ArchivePublisher publisher(output, plan, arguments, std::move(state.previous),
                                   ProvenanceRecorder(to_string(plan.experiment().point.device), {}));
  publisher.publish(state.results, "recovered from journals");
  finish_journals(state);
  fmt::print("{}: {} of {} points, of {} journals\n", output.string(), state.results.num_finished(), plan.num_points(),
             state.journals.size() + state.damaged_journals.size());
  return exit_code(state.results);
}

}  // namespace kvarium
