#include "experiments/run/runner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "experiments/archive/atomic_file.hpp"
#include "experiments/journal/journal_name.hpp"
#include "experiments/journal/journal_writer.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/archive_publisher.hpp"
#include "experiments/run/companion_points.hpp"
#include "experiments/run/input_files.hpp"
#include "experiments/run/output_lock.hpp"
#include "experiments/run/output_path.hpp"
#include "experiments/run/output_state.hpp"
#include "experiments/run/point_runner.hpp"
#include "experiments/run/progress.hpp"
#include "experiments/run/result_report.hpp"
#include "experiments/run/run_phase.hpp"
#include "experiments/run/stop_signals.hpp"
#include "experiments/tuning/stored_tunings.hpp"

namespace kvarium {

namespace {

/// "3 cache.layout=hnd fault.model=stale_block".
std::string label_of(const Plan& plan, std::int64_t point) {
  std::string label = fmt::format("{}", point);
  const std::vector<FieldValue> values = plan.swept_values(point);
  const std::vector<const Field*> fields = plan.swept_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) label += fmt::format(" {}={}", fields[i]->path, to_string(values[i]));
  return label;
}

std::string end_reason(const ResultTables& results, const std::string& signal) {
  if (is_complete(results)) return "complete";
  return signal.empty() ? "points left unfinished" : "stopped by " + signal;
}

double unix_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Runs the points that are missing until they are done or a signal comes.
class RunLoop {
 public:
  RunLoop(const Plan& plan, const ExperimentKind& kind, ResultTables& results, JournalWriter& journal, std::int64_t run)
      : plan_(plan),
        kind_(kind),
        results_(results),
        journal_(journal),
        run_(run),
        companions_(plan),
        num_finished_(results.num_finished()),
        progress_(plan.num_points(), num_finished_, stderr) {}

  void run(const StopSignals& signals) {
    for (std::int64_t point = 0; point < plan_.num_points() && !signals.is_requested(); ++point) {
      if (!results_.is_finished(point)) run_one(point, signals);
    }
    commit();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void run_one(std::int64_t point, const StopSignals& signals) {
    progress_.begin_point(label_of(plan_, point));
    PointContext context;
    context.progress = [this](double share) { update(share); };
    context.should_stop = [&signals] { return signals.is_requested(); };
    context.kept = &kept_;
    PointTime time{unix_seconds()};
    const Clock::time_point start = Clock::now();
    context.companions = [this, point] { return companions_.after(point, results_); };
    const PointResult result = run_point(plan_, point, kind_, std::move(context));
    time.overhead = std::chrono::duration<double>(start - last_end_).count();
    last_end_ = Clock::now();
    time.duration = std::chrono::duration<double>(last_end_ - start).count();
    if (result.status != PointStatus::unfinished) keep(point, result, time);
  }

  void keep(std::int64_t point, const PointResult& result, const PointTime& time) {
    results_.record(point, result, time, run_);
    ++num_finished_;
    journal_.append(plan_.point_ids()[static_cast<std::size_t>(point)], result, time);
    if (result.status == PointStatus::failed || result.status == PointStatus::wrong_result) {
      progress_.say(fmt::format("point {}: {}: {}", label_of(plan_, point), to_string(result.status), result.reason));
    }
    progress_.end_point();
    commit_if_due();
  }

  /// Points that finished before a long one need not wait for its end.
  void update(double share) {
    progress_.update(share);
    commit_if_due();
  }
  void commit_if_due() {
    const PhaseMark phase(RunPhase::flush);
    if (journal_.commit_if_due()) mark_saved();
  }
  void commit() {
    const PhaseMark phase(RunPhase::flush);
    journal_.commit();
    mark_saved();
  }
  void mark_saved() {
    progress_.mark_saved();
    note_saved_points(static_cast<std::uint64_t>(num_finished_));
  }

  const Plan& plan_;
  const ExperimentKind& kind_;
  ResultTables& results_;
  JournalWriter& journal_;
  std::int64_t run_;
  CompanionPoints companions_;
  std::int64_t num_finished_;
  Progress progress_;
  std::any kept_;
  Clock::time_point last_end_ = Clock::now();
};

void print_results(const Plan& plan, const ResultTables& results, const std::filesystem::path& output,
                   const RunOptions& options) {
  const std::string text = options.report != nullptr ? options.report(plan, results) : results_text(plan, results);
  fmt::print("{}{}\n{}", text, status_counts(results.states()), archive_text(output));
}

void say(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

std::unique_ptr<JournalWriter> begin_journal(const ArchivePublisher& publisher, const KindSchema& schema) {
  const PhaseMark phase(RunPhase::create);
  const std::filesystem::path path = next_journal_path(publisher.path());
  remove_partial_files(path);
  return std::make_unique<JournalWriter>(path, publisher.journal_header(), schema);
}

/// Runs what is missing beside a journal, which ends with the archive that holds its points. Returns why it ended.
std::string run_missing(const Plan& plan, const ExperimentKind& kind, OutputState& state,
                        const ArchivePublisher& publisher) {
  // From the first file to the last: a signal in between stops the run in good order.
  const StopSignals signals;
  if (!is_complete(state.results)) {
    // An output that cannot be written is better found now than after hours.
    const std::unique_ptr<JournalWriter> journal = begin_journal(publisher, kind.schema());
    state.journals.push_back(journal->path());
    RunLoop(plan, kind, state.results, *journal, publisher.run()).run(signals);
  }
  std::string reason = end_reason(state.results, signals.name());
  publisher.publish(state.results, reason);
  finish_journals(state);
  return reason;
}

}  // namespace

int run_experiment(const Plan& plan, const RunOptions& options) {
  const std::filesystem::path output = output_path(options.output, plan);
  // A damaged tuning is better refused here than at each point.
  if (plan.leaves_variants_open()) stored_tunings(plan.experiment().point.device);
  const ExperimentKind& kind = experiment_kinds().at(plan.experiment().point.kind);
  const OutputLock lock(output);
  remove_partial_files(output);
  const std::vector<FileDigest> inputs = input_files(plan);
  OutputState state = examine_output(output, plan, kind.schema(), inputs);
  ResultTables& results = state.results;
  for (const std::string& cut : state.cuts) say(cut);
  if (is_complete(results) && state.journals.empty() && state.damaged_journals.empty()) {
    say(fmt::format("{}: complete already, nothing to run", output.string()));
    print_results(plan, results, output, options);
    return exit_code(results);
  }
  if (const std::int64_t finished = results.num_finished(); finished > 0) {
    say(fmt::format("{}: continues after {} of {} points", output.string(), finished, plan.num_points()));
  }
  const ArchivePublisher publisher(output, plan, options.arguments, std::move(state.previous),
                                   ProvenanceRecorder(to_string(plan.experiment().point.device), inputs));
  const std::string reason = run_missing(plan, kind, state, publisher);
  print_results(plan, results, output, options);
  if (!is_complete(results)) say(reason + "; " + options.continuation);
  return exit_code(results);
}

}  // namespace kvarium
