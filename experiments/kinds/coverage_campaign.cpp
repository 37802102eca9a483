#include "experiments/kinds/coverage_campaign.hpp"

#include "core/check.hpp"
#include "experiments/kinds/coverage_throughput.hpp"
#include "experiments/kinds/fault_rows.hpp"
#include "experiments/kinds/recheck_draw.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

/// How many trials pass between two looks at signals and the clock; faults of whole sequences take milliseconds each.
constexpr std::int64_t trials_between_looks = 64;

}  // namespace

KindSchema coverage_schema() {
  KindSchema schema;
  schema.trials = coverage_trial_columns();
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

CoverageCampaign::CoverageCampaign(const PointConfig& point, const RandomKey& key,
                                   const std::vector<ChecksumConfig>& others)
    : point_(point),
      key_(key),
      scene_(point, key),
      injector_(point.base.fault.model, point.base.fault.parameters, scene_.target()) {
  const auto add = [&](const ChecksumConfig& checksum) {
    PointConfig own = point;
    own.base.checksum = checksum;
    parts_.push_back({std::make_unique<CoverageTally>(own, scene_), PointTables(coverage_schema())});
  };
  add(point.base.checksum);
  for (const ChecksumConfig& checksum : others) add(checksum);
}

/// Injects a fault, shows it to some checksums, and puts everything back.
void CoverageCampaign::run_fault(std::int64_t trial, const std::vector<Part*>& parts) {
  const Injection& injection =
      injector_.inject(random_for(RandomPurpose::fault, key_, static_cast<std::uint64_t>(trial)));
  const bool is_applicable = injection.is_applicable();
  const bool is_rechecked = is_applicable && draw_recheck(key_, trial);
  for (Part* part : parts) {
    const bool is_recorded =
        static_cast<std::int64_t>(part->tables.faults.num_rows()) < point_.limits.max_recorded_trials;
    if (is_applicable) {
      if (is_recorded) append_fault(part->tables.faults, trial, injection.record(), scene_.target());
      part->tally->add(part->tally->judge(injection.record(), trial, is_rechecked), part->tables);
    } else {
      if (is_recorded) append_missing_fault(part->tables.faults, trial, injection.not_applicable());
      part->tally->add({}, part->tables);
    }
  }
  if (is_applicable) revert(injection.record(), scene_.target());
}

bool CoverageCampaign::run_faults(const PointContext& context) {
  const auto most = static_cast<double>(point_.replicates.count);
  std::vector<Part*> unfinished;
  for (Part& part : parts_) unfinished.push_back(&part);
  for (std::int64_t trial = 0;; ++trial) {
    std::erase_if(unfinished, [trial](const Part* part) { return part->tally->is_enough(trial); });
    if (unfinished.empty()) return true;
    if (trial % trials_between_looks == 0) {
      if (context.should_stop && context.should_stop()) return false;
      if (context.progress) context.progress(static_cast<double>(trial) / most);
    }
    run_fault(trial, unfinished);
  }
}

std::vector<PointResult> CoverageCampaign::run_all(const PointContext& context) {
  std::vector<PointResult> results;
  if (!run_faults(context)) {
    results.push_back({PointStatus::unfinished, "stopped before all trials had run", PointTables(coverage_schema())});
    return results;
  }
  for (Part& part : parts_) {
    PointResult& result = results.emplace_back(part.tally->finish(std::move(part.tables)));
    if (!point_.record.throughput) continue;
    append_coverage_throughput(result.tables.timing_summary, scene_.scenario(), part.tally->point(), context.kept);
  }
  return results;
}

/// Faults that the point injects before its controls; those up to `trial` are run again where the stop rule may have
/// ended them before.
std::int64_t CoverageCampaign::faults_before(std::int64_t trial) {
  const std::int64_t fewest = parts_.front().tally->stop_rule().fewest_trials();
  if (trial < fewest) return fewest;
  std::int64_t faults = 0;
  while (faults <= trial && !parts_.front().tally->is_enough(faults)) run_fault(faults++, {&parts_.front()});
  return faults;
}

PointResult CoverageCampaign::replay(std::int64_t trial) {
  const std::int64_t faults = faults_before(trial);
  const std::int64_t dummies = point_.controls.dummy_injections;
  const std::int64_t total = faults + dummies + point_.controls.noise_repeats;
  KVARIUM_VALIDATE(trial >= 0 && trial < total, "trial ", trial, " of a point with ", total, " trials; use 0 to ",
                   total - 1);
  Part& part = parts_.front();
  part.tables = PointTables(coverage_schema());
  if (trial < faults) {
    run_fault(trial, {&part});
  } else {
    part.tally->add(part.tally->judge_intact(trial < faults + dummies ? TrialControl::dummy : TrialControl::noise),
                    part.tables);
  }
  return {PointStatus::passed, "", std::move(part.tables)};
}

}  // namespace kvarium
