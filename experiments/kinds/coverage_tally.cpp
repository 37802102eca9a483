#include "experiments/kinds/coverage_tally.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace kvarium {

std::vector<ColumnSchema> coverage_trial_columns() {
  return {{"control", ColumnType::int8, "", "What the trial injected", trial_control_names()},
          {"applicable", ColumnType::int8, "", "Whether the fault could be injected", {"no", "yes"}},
          {"verdict", ColumnType::int8, "", "What the checksum said; clean where nothing was injected",
           checksum_verdict_names()},
          {"rechecked", ColumnType::int8, "", "Whether its rows were summed again in full", {"no", "yes"}}};
}

CoverageTally::CoverageTally(const PointConfig& point, const FaultScene& scene)
    : point_(point),
      rule_{point.replicates.count, point.replicates.interval_width, point.replicates.looks},
      looks_(rule_.look_counts()),
      watch_(scene.scenario(), point.base.checksum) {}

bool CoverageTally::is_enough(std::int64_t faults) const {
  if (faults == rule_.most_trials) return true;
  return std::ranges::binary_search(looks_, faults) && rule_.is_reached(counts_.seen(), counts_.applicable());
}

CoverageTrial CoverageTally::judge(const FaultRecord& record, std::int64_t trial, bool is_rechecked) {
  const CoverageTrial outcome{TrialControl::fault, true, watch_.judge(record, point_.base.fault.stage), is_rechecked};
  if (is_rechecked && recheck_problem_.empty()) {
    const std::string difference = watch_.recheck();
    if (!difference.empty()) recheck_problem_ = concatenate("trial ", trial, ": ", difference);
  }
  return outcome;
}

CoverageTrial CoverageTally::judge_intact(TrialControl control) const {
  return {control, false, watch_.judge_intact(), true};
}

void CoverageTally::add(const CoverageTrial& trial, PointTables& tables) {
  if (trial.control != TrialControl::fault) {
    ++counts_.controls;
    if (trial.verdict == ChecksumVerdict::false_alarm) ++counts_.control_alarms;
  } else {
    ++counts_.faults;
    if (trial.is_applicable) ++counts_.verdicts[static_cast<std::size_t>(trial.verdict)];
    if (trial.is_rechecked) ++counts_.rechecked;
  }
  if (static_cast<std::int64_t>(tables.trials.num_rows()) >= point_.limits.max_recorded_trials) return;
  tables.trials.append_row({trial.control, int{trial.is_applicable}, trial.verdict, int{trial.is_rechecked}});
}

void CoverageTally::run_controls(PointTables& tables) {
  for (std::int64_t i = 0; i < point_.controls.dummy_injections; ++i) add(judge_intact(TrialControl::dummy), tables);
  for (std::int64_t i = 0; i < point_.controls.noise_repeats; ++i) add(judge_intact(TrialControl::noise), tables);
}

PointResult CoverageTally::finish(PointTables tables) {
  run_controls(tables);
  append_coverage_summary(tables.summary, counts_, rule_, watch_.record_bytes());
  const std::string reason = problem();
  return {reason.empty() ? PointStatus::passed : PointStatus::wrong_result, reason, std::move(tables)};
}

/// What a control or a recheck found wrong, or "".
std::string CoverageTally::problem() const {
  if (point_.controls.golden) {
    const std::string difference = watch_.golden_problem();
    if (!difference.empty()) return difference;
  }
  if (!recheck_problem_.empty() || counts_.control_alarms == 0) return recheck_problem_;
  return concatenate("the checksum reported ", counts_.control_alarms, " of ", counts_.controls,
                     " trials without a fault");
}

}  // namespace kvarium
