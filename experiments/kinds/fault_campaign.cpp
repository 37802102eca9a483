#include "experiments/kinds/fault_campaign.hpp"

#include "core/check.hpp"
#include "experiments/kinds/recheck_draw.hpp"

namespace kvarium {
namespace {

FaultEffect effect_of(const OutputDifference& difference, ElementType query_type) {
  if (difference.is_identical) return FaultEffect::masked;
  if (difference.has_new_nan) return FaultEffect::nan;
  return difference.relative_l2 <= output_tolerance(query_type) ? FaultEffect::tolerable : FaultEffect::corrupted;
}

bool reaches_attention(const FaultRecord& record) {
  return record.num_changed_attended_bytes > 0 || !record.table_changes.empty() || !record.reading_changes.empty();
}

}  // namespace

const std::vector<std::string>& fault_effect_names() {
  static const std::vector<std::string> names{"not_applicable", "masked", "tolerable", "corrupted", "nan"};
  return names;
}

FaultCampaign::FaultCampaign(const PointConfig& point, const RandomKey& key)
    : point_(point),
      key_(key),
      scene_(point, key),
      watch_(scene_.scenario(), point.base.checksum),
      attention_(scene_, point),
      injector_(point.base.fault.model, point.base.fault.parameters, scene_.target()) {}

FaultTrial FaultCampaign::run_trial(TrialControl control, std::int64_t index) {
  FaultTrial trial;
  trial.control = control;
  if (control != TrialControl::fault) {
    trial.difference = attention_.intact_difference();
    trial.effect = effect_of(trial.difference, point_.base.batch.query_type);
    trial.verdict = watch_.judge_intact();
    return trial;
  }
  const CounterRandom random = random_for(RandomPurpose::fault, key_, static_cast<std::uint64_t>(index));
  trial.fault = injector_.inject(random).outcome();
  if (!trial.fault.is_applicable()) {
    trial.effect = FaultEffect::not_applicable;
    return trial;
  }
  observe(trial);
  trial.is_rechecked = draw_recheck(key_, index);
  if (trial.is_rechecked) recheck(index);
  revert(*trial.fault.record, scene_.target());
  return trial;
}

FaultTrial FaultCampaign::run_whole_trial(std::int64_t index) {
  FaultTrial trial;
  trial.fault = injector_.inject(random_for(RandomPurpose::fault, key_, static_cast<std::uint64_t>(index))).outcome();
  if (!trial.fault.is_applicable()) {
    trial.effect = FaultEffect::not_applicable;
    return trial;
  }
  const FaultRecord& record = *trial.fault.record;
  trial.difference = attention_.whole_difference(record);
  trial.effect = effect_of(trial.difference, point_.base.batch.query_type);
  trial.is_activated = reaches_attention(record);
  trial.verdict = watch_.judge(record, point_.base.fault.stage);
  revert(record, scene_.target());
  return trial;
}

/// Looks at what the fault in place does: attention output of the layers it touches, and the checksum.
void FaultCampaign::observe(FaultTrial& trial) {
  const FaultRecord& record = *trial.fault.record;
  trial.difference = attention_.difference(record);
  trial.effect = effect_of(trial.difference, point_.base.batch.query_type);
  trial.is_activated = reaches_attention(record);
  trial.verdict = watch_.judge(record, point_.base.fault.stage);
}

void FaultCampaign::recheck(std::int64_t index) {
  if (!recheck_problem_.empty()) return;
  for (const std::string& problem : {attention_.recheck(), watch_.recheck()}) {
    if (!problem.empty()) recheck_problem_ = concatenate("trial ", index, ": ", problem);
  }
}

}  // namespace kvarium
