#include "experiments/kinds/transfer_trial.hpp"

#include "experiments/config/transfer_rules.hpp"
#include "sim/transfer/life_cycle.hpp"
#include "sim/transfer/transfer_defect.hpp"

namespace kvarium {
namespace {

FaultEffect effect_of(const AttendedDifference& difference, ElementType query_type) {
  if (difference.has_new_nan) return FaultEffect::nan;
  if (difference.is_identical) return FaultEffect::masked;
  return difference.relative_l2 <= output_tolerance(query_type) ? FaultEffect::tolerable : FaultEffect::corrupted;
}

ChecksumVerdict verdict_of(ChecksumJudgement judgement, bool is_damaged) {
  switch (judgement) {
    case ChecksumJudgement::clean:
      return is_damaged ? ChecksumVerdict::missed : ChecksumVerdict::clean;
    case ChecksumJudgement::mismatch:
      return is_damaged ? ChecksumVerdict::detected : ChecksumVerdict::false_alarm;
    case ChecksumJudgement::unverified:
      break;
  }
  return ChecksumVerdict::unverified;
}

void judge(const TransferWatch& watch, TransferTrial& trial) {
  const bool is_damaged = trial.is_damaged();
  for (std::size_t check = 0; check < transfer_checks().size(); ++check) {
    auto& verdicts = trial.verdicts.emplace_back();
    for (std::size_t point = 0; point < num_check_points; ++point) {
      verdicts[point] = verdict_of(watch.judgement(check, static_cast<CheckPoint>(point)), is_damaged);
    }
  }
  for (std::size_t check = 0; check < trial.cheap_verdicts.size(); ++check) {
    const bool has_alarm = watch.has_alarm(static_cast<CheapCheck>(check));
    trial.cheap_verdicts[check] =
        verdict_of(has_alarm ? ChecksumJudgement::mismatch : ChecksumJudgement::clean, is_damaged);
  }
}

}  // namespace

TransferCampaign::TransferCampaign(const PointConfig& point, const RandomKey& key)
    : point_(point), key_(key), shape_(transfer_shape(point.base)), contents_(open_contents(point, key)) {}

TransferTrial TransferCampaign::run_trial(std::int64_t number) const {
  TransferWatch watch(point_, shape_, contents_, number);
  TransferWorld world(shape_, *contents_.source, watch, {key_, number});
  TransferSchedule schedule = life_cycle(shape_);
  const TransferConfig& transfer = point_.base.transfer;
  if (transfer.defect != "none") {
    transfer_defects().at(transfer.defect).change(world, schedule, parse_strike_moment(transfer.moment));
  }
  schedule.run(world);
  TransferTrial trial;
  trial.difference = watch.difference();
  trial.costs = watch.costs();
  trial.num_refused = world.num_refused();
  trial.not_applicable = world.not_applicable();
  trial.effect = effect_of(trial.difference, point_.base.batch.query_type);
  if (!trial.not_applicable.empty()) trial.effect = FaultEffect::not_applicable;
  judge(watch, trial);
  return trial;
}

}  // namespace kvarium
