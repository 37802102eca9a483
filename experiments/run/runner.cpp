#include "experiments/run/runner.hpp"

#include <fmt/format.h>

#include "experiments/archive/atomic_file.hpp"
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
#include "experiments/run/stop_signals.hpp"
#include "experiments/tuning/stored_tunings.hpp"

namespace kvarium {

namespace {

std::int64_t count_finished(const ResultTables& results) {
  std::int64_t count = 0;
  for (const PointState& state : results.states()) count += state.status != PointStatus::unfinished;
  return count;
}

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

/// Runs the points that are missing until they are done or a signal comes, from the first archive to the last.
class RunLoop {
 public:
  RunLoop(const Plan& plan, const ExperimentKind& kind, ResultTables& results, ArchivePublisher& publisher)
      : plan_(plan),
        kind_(kind),
        results_(results),
        publisher_(publisher),
        companions_(plan),
        progress_(plan.num_points(), count_finished(results), stderr) {}

  /// Returns why it ended.
  std::string run(const StopSignals& signals) {
    // An output that cannot be written is better found now than after hours.
    publisher_.publish(results_, "running");
    for (std::int64_t point = 0; point < plan_.num_points() && !signals.is_requested(); ++point) {
      if (!results_.is_finished(point)) run_one(point, signals);
    }
    const std::string reason = end_reason(results_, signals.name());
    publisher_.publish(results_, reason);
    progress_.mark_saved();
    return reason;
  }

 private:
  void run_one(std::int64_t point, const StopSignals& signals) {
    progress_.begin_point(label_of(plan_, point));
    PointContext context;
    context.progress = [this](double share) { progress_.update(share); };
    context.should_stop = [&signals] { return signals.is_requested(); };
    context.kept = &kept_;
    context.companions = [this, point] { return companions_.after(point, results_); };
    const PointResult result = run_point(plan_, point, kind_, std::move(context));
    results_.record(point, result);
    if (result.status == PointStatus::unfinished) return;
    if (result.status == PointStatus::failed || result.status == PointStatus::wrong_result) {
      progress_.say(fmt::format("point {}: {}: {}", label_of(plan_, point), to_string(result.status), result.reason));
    }
    const bool is_saved = publisher_.publish_if_due(results_);
    progress_.end_point();
    if (is_saved) progress_.mark_saved();
  }

  const Plan& plan_;
  const ExperimentKind& kind_;
  ResultTables& results_;
  ArchivePublisher& publisher_;
  CompanionPoints companions_;
  Progress progress_;
  std::any kept_;
};

void print_results(const Plan& plan, const ResultTables& results, const std::filesystem::path& output,
                   const RunOptions& options) {
  const std::string text = options.report != nullptr ? options.report(plan, results) : results_text(plan, results);
  fmt::print("{}{}\n{}", text, status_counts(results.states()), archive_text(output));
}

void say(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

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
  if (is_complete(results)) {
    say(fmt::format("{}: complete already, nothing to run", output.string()));
    print_results(plan, results, output, options);
    return exit_code(results);
  }
  if (const std::int64_t finished = count_finished(results); finished > 0) {
    say(fmt::format("{}: continues after {} of {} points", output.string(), finished, plan.num_points()));
  }
  ArchivePublisher publisher(output, plan, options.arguments, std::move(state.previous),
                             ProvenanceRecorder(to_string(plan.experiment().point.device), inputs));
  // From the first archive to the last: a signal in between stops the run in good order.
  const StopSignals signals;
  const std::string reason = RunLoop(plan, kind, results, publisher).run(signals);
  print_results(plan, results, output, options);
  if (!is_complete(results)) say(reason + "; " + options.continuation);
  return exit_code(results);
}

}  // namespace kvarium
