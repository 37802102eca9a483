#include "experiments/kinds/coverage_campaign.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "experiments/kinds/coverage_throughput.hpp"
#include "experiments/kinds/fault_rows.hpp"
#include "experiments/kinds/recheck_draw.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

/// How many trials pass between two looks at signals and the clock.
constexpr std::int64_t trials_between_looks = 1024;

std::vector<ColumnSchema> trial_columns() {
  return {{"control", ColumnType::int8, "", "What the trial injected", trial_control_names()},
          {"applicable", ColumnType::int8, "", "Whether the fault could be injected", {"no", "yes"}},
          {"verdict", ColumnType::int8, "", "What the checksum said; clean where nothing was injected",
           checksum_verdict_names()},
          {"rechecked", ColumnType::int8, "", "Whether its rows were summed again in full", {"no", "yes"}}};
}

}  // namespace

KindSchema coverage_schema() {
  KindSchema schema;
  schema.trials = trial_columns();
  schema.faults = fault_columns();
  schema.summary = coverage_summary_columns();
  schema.printed = {"applicable", "detected",    "missed",        "repaired",   "wrong_repair",
                    "unverified", "false_alarm", "detected_rate", "missed_rate"};
  schema.timing_summary = coverage_throughput_columns();
  schema.report.shares = {"detected_rate", "missed_rate"};
  schema.report.costs = {{"record_bytes"},
                         {"checksum_throughput"},
                         {"read_ceiling"},
                         {"fraction_of_ceiling"},
                         {"controls", Summing::total},
                         {"control_alarms", Summing::total},
                         {"rechecked", Summing::total}};
  return schema;
}

CoverageCampaign::CoverageCampaign(const PointConfig& point, const RandomKey& key)
    : point_(point),
      key_(key),
      scene_(point, key),
      watch_(scene_.scenario(), point.base.checksum),
      injector_(point.base.fault.model, point.base.fault.parameters, scene_.target()) {}

StopRule CoverageCampaign::stop_rule() const {
  return {point_.replicates.count, point_.replicates.interval_width, point_.replicates.looks};
}

/// Whether the trials end with this many: at the last one, or at a look of the stop rule that finds enough.
bool CoverageCampaign::is_enough(std::int64_t trials) const {
  const StopRule rule = stop_rule();
  if (trials == rule.most_trials) return true;
  if (rule.width <= 0) return false;
  const std::vector<std::int64_t> looks = rule.look_counts();
  const bool is_look = std::ranges::binary_search(looks, trials);
  return is_look && rule.is_reached(counts_.seen(), counts_.applicable());
}

CoverageCampaign::Trial CoverageCampaign::run_fault(std::int64_t trial, Table* faults) {
  const Injection& injection =
      injector_.inject(random_for(RandomPurpose::fault, key_, static_cast<std::uint64_t>(trial)));
  if (!injection.is_applicable()) {
    if (faults != nullptr) append_missing_fault(*faults, trial, injection.not_applicable());
    return {};
  }
  const FaultRecord& record = injection.record();
  if (faults != nullptr) append_fault(*faults, trial, record, scene_.target());
  Trial outcome{TrialControl::fault, true, watch_.judge(record, point_.base.fault.stage), draw_recheck(key_, trial)};
  if (outcome.is_rechecked && problem_.empty()) {
    const std::string difference = watch_.recheck();
    if (!difference.empty()) problem_ = concatenate("trial ", trial, ": ", difference);
  }
  revert(record, scene_.target());
  return outcome;
}

CoverageCampaign::Trial CoverageCampaign::run_control(TrialControl control) {
  return {control, false, watch_.judge_intact(), true};
}

bool CoverageCampaign::run_faults(const PointContext& context, PointTables& tables) {
  const std::int64_t most = point_.replicates.count;
  for (std::int64_t trial = 0; !is_enough(trial); ++trial) {
    if (trial % trials_between_looks == 0) {
      if (context.should_stop && context.should_stop()) return false;
      if (context.progress) context.progress(static_cast<double>(trial) / static_cast<double>(most));
    }
    const bool is_recorded = trial < point_.limits.max_recorded_trials;
    const Trial outcome = run_fault(trial, is_recorded ? &tables.faults : nullptr);
    count(outcome);
    record(outcome, tables);
  }
  return true;
}

void CoverageCampaign::run_controls(PointTables& tables) {
  const auto run = [&](TrialControl control, std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) {
      const Trial outcome = run_control(control);
      count(outcome);
      record(outcome, tables);
    }
  };
  run(TrialControl::dummy, point_.controls.dummy_injections);
  run(TrialControl::noise, point_.controls.noise_repeats);
}

void CoverageCampaign::count(const Trial& trial) {
  if (trial.control != TrialControl::fault) {
    ++counts_.controls;
    if (trial.verdict == ChecksumVerdict::false_alarm) ++counts_.control_alarms;
    return;
  }
  ++counts_.faults;
  if (trial.is_applicable) ++counts_.verdicts[static_cast<std::size_t>(trial.verdict)];
  if (trial.is_rechecked) ++counts_.rechecked;
}

void CoverageCampaign::record(const Trial& trial, PointTables& tables) const {
  // Rows follow the numbers of trials without a gap, so that each replays by its row.
  if (static_cast<std::int64_t>(tables.trials.num_rows()) >= point_.limits.max_recorded_trials) return;
  tables.trials.append_row({trial.control, int{trial.is_applicable}, trial.verdict, int{trial.is_rechecked}});
}

PointResult CoverageCampaign::run(const PointContext& context) {
  PointResult result{PointStatus::passed, "", PointTables(coverage_schema())};
  if (point_.controls.golden) result.reason = watch_.golden_problem();
  if (!run_faults(context, result.tables)) {
    return {PointStatus::unfinished, "stopped before all trials had run", PointTables(coverage_schema())};
  }
  run_controls(result.tables);
  append_coverage_summary(result.tables.summary, counts_, stop_rule(), watch_.record_bytes());
  if (point_.record.throughput) {
    append_coverage_throughput(result.tables.timing_summary, scene_.scenario(), point_, context.kept);
  }
  if (result.reason.empty()) result.reason = problem_;
  if (result.reason.empty() && counts_.control_alarms > 0) {
    result.reason = concatenate("the checksum reported ", counts_.control_alarms, " of ", counts_.controls,
                                " trials without a fault");
  }
  if (!result.reason.empty()) result.status = PointStatus::wrong_result;
  return result;
}

/// Faults that the point injects before its controls; those up to `trial` are run again where the stop rule decides.
std::int64_t CoverageCampaign::faults_before(std::int64_t trial) {
  if (point_.replicates.interval_width <= 0) return point_.replicates.count;
  std::int64_t faults = 0;
  for (; faults <= trial && !is_enough(faults); ++faults) count(run_fault(faults, nullptr));
  return faults;
}

PointResult CoverageCampaign::replay(std::int64_t trial) {
  const std::int64_t faults = faults_before(trial);
  const std::int64_t dummies = point_.controls.dummy_injections;
  const std::int64_t total = faults + dummies + point_.controls.noise_repeats;
  KVARIUM_VALIDATE(trial >= 0 && trial < total, "trial ", trial, " of a point with ", total, " trials; use 0 to ",
                   total - 1);
  PointResult result{PointStatus::passed, "", PointTables(coverage_schema())};
  const TrialControl control = trial < faults + dummies ? TrialControl::dummy : TrialControl::noise;
  record(trial < faults ? run_fault(trial, &result.tables.faults) : run_control(control), result.tables);
  return result;
}

}  // namespace kvarium
