#include "experiments/kinds/fault_campaign.hpp"

#include "experiments/config/checksum_rules.hpp"
#include "experiments/kinds/reference_check.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

AttendedCache attended(const DecodeScenario& scenario, const PointConfig& point, const EarlierContent& earlier) {
  AttendedCache cache;
  cache.layers = scenario.views();
  cache.block_tables = scenario.batch().block_tables;
  cache.seq_lens = scenario.batch().seq_lens.data();
  cache.sliding_window = point.base.batch.sliding_window;
  cache.earlier = &earlier;
  return cache;
}

FaultEffect effect_of(const OutputDifference& difference, ElementType query_type) {
  if (difference.is_identical) return FaultEffect::masked;
  if (difference.has_new_nan) return FaultEffect::nan;
  return difference.relative_l2 <= output_tolerance(query_type) ? FaultEffect::tolerable : FaultEffect::corrupted;
}

}  // namespace

const std::vector<std::string>& fault_effect_names() {
  static const std::vector<std::string> names{"not_applicable", "masked", "tolerable", "corrupted", "nan"};
  return names;
}

const std::vector<std::string>& checksum_verdict_names() {
  static const std::vector<std::string> names{"clean",        "detected",   "missed",     "repaired",
                                              "wrong_repair", "unverified", "false_alarm"};
  return names;
}

const std::vector<std::string>& trial_control_names() {
  static const std::vector<std::string> names{"fault", "dummy", "noise"};
  return names;
}

FaultCampaign::FaultCampaign(const PointConfig& point, const RandomKey& key)
    : point_(point),
      key_(key),
      scenario_(point, key),
      stored_(scenario_.stored_blocks()),
      earlier_(scenario_.batch(), scenario_.source(), {key, point.base.batch.shared_prefix_length}),
      target_(attended(scenario_, point, earlier_)) {
  for (std::int64_t layer = 0; layer < point.base.cache.num_layers; ++layer) {
    golden_.push_back(run_attention(scenario_, layer, point.base.variant));
  }
  recorded_ = checksums();
}

std::vector<std::uint64_t> FaultCampaign::checksums() const {
  const ChecksumConfig& checksum = point_.base.checksum;
  if (checksum.family == "none") return {};
  return checksum_families()
      .at(checksum.family)
      .compute(scenario_.checksum_layers(), stored_.rows(), checksum_parameters(checksum));
}

FaultTrial FaultCampaign::run_trial(TrialControl control, std::int64_t index) const {
  FaultTrial trial;
  trial.control = control;
  if (control == TrialControl::fault) {
    CounterRandom random = random_for(RandomPurpose::fault, key_, static_cast<std::uint64_t>(index));
    trial.fault = inject_fault(point_.base.fault.model, target_, point_.base.fault.parameters, random);
    if (!trial.fault.is_applicable()) {
      trial.effect = FaultEffect::not_applicable;
      return trial;
    }
  }
  observe(trial);
  if (trial.fault.is_applicable()) revert(*trial.fault.record, target_);
  return trial;
}

/// Looks at the caches as they are now: attention output of the struck layer, and the checksums.
void FaultCampaign::observe(FaultTrial& trial) const {
  const std::int64_t layer = trial.fault.is_applicable() ? trial.fault.record->layer : 0;
  const std::vector<std::byte> output = run_attention(scenario_, layer, point_.base.variant);
  trial.difference = compare_outputs(output, golden(layer), point_.base.batch.query_type, point_.base.cache.head_size);
  trial.effect = effect_of(trial.difference, point_.base.batch.query_type);
  trial.is_activated = trial.fault.is_applicable() && trial.fault.record->num_changed_attended_bytes > 0;
  trial.verdict = judge(trial);
}

/// A fault before the producer's sum is in both sums; one after the consumer's check comes too late for it.
ChecksumVerdict FaultCampaign::judge(const FaultTrial& trial) const {
  if (point_.base.checksum.family == "none") return ChecksumVerdict::unverified;
  if (!trial.fault.is_applicable()) {
    return checksums() == recorded_ ? ChecksumVerdict::clean : ChecksumVerdict::false_alarm;
  }
  const FaultStage stage = point_.base.fault.stage;
  if (stage == FaultStage::before_producer_sum || stage == FaultStage::after_consumer_check) {
    return ChecksumVerdict::missed;
  }
  return checksums() == recorded_ ? ChecksumVerdict::missed : ChecksumVerdict::detected;
}

}  // namespace kvarium
