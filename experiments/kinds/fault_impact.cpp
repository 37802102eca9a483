#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/fault_campaign.hpp"
#include "experiments/kinds/fault_impact_tables.hpp"
#include "experiments/kinds/impact_speed.hpp"
#include "experiments/kinds/reference_check.hpp"
#include "experiments/kinds/variant_problem.hpp"

namespace kvarium {
namespace {

/// Trials of a point in their order: faults first, so that a trial's number does not depend on the controls.
std::int64_t num_trials(const PointConfig& point) {
  return point.replicates.count + point.controls.dummy_injections + point.controls.noise_repeats;
}

TrialControl control_of(const PointConfig& point, std::int64_t trial) {
  if (trial < point.replicates.count) return TrialControl::fault;
  return trial < point.replicates.count + point.controls.dummy_injections ? TrialControl::dummy : TrialControl::noise;
}

/// Why the campaign's own measurement cannot be trusted, or "".
std::string golden_problem(const PointConfig& point, const FaultCampaign& campaign) {
  if (!point.controls.golden) return {};
  for (std::int64_t layer = 0; layer < point.base.cache.num_layers; ++layer) {
    const ReferenceCheck check =
        check_with_reference(campaign.scenario(), layer, point.base.variant, campaign.golden(layer));
    if (!check.is_right()) {
      return concatenate("the fault-free output of layer ", layer, " differs from the reference by relative L2 ",
                         check.difference.relative_l2, ", more than ", check.tolerance);
    }
  }
  return {};
}

/// Injects one fault a trial into a filled paged cache and looks at attention output and checksum.
class FaultImpact final : public ExperimentKind {
 public:
  std::string description() const override {
    return "what faults in a paged KV cache do to the attention output, and which of them the checksum sees";
  }

  KindSchema schema() const override { return fault_impact_schema(); }

  std::optional<std::string> refusal(const PointConfig& point) const override {
    if (point.device != Device::cpu) return "fault_impact runs on the cpu so far; set device: cpu";
    if (auto problem = variant_problem(point)) return problem;
    if (auto problem = verification_problem(point)) return problem;
    if (point.base.fault.model == "none") return "fault.model is none; name one of `kvarium list faults`";
    if (point.base.workload.concurrent) return "workload.concurrent is of checksum_throughput; leave it false";
    if (point.replicates.interval_width > 0) {
      return "replicates.interval_width is of fault_coverage; leave it 0";
    }
    if (point.base.checksum.chunk != 0) return "checksum.chunk is an axis of CUDA families; leave it 0 on the cpu";
    return content_problem(point);
  }

  std::int64_t most_trials(const PointConfig& point) const override { return num_trials(point); }

  PointResult run(const PointConfig& point, const PointContext& context) const override {
    FaultCampaign campaign(point, context.random);
    PointResult result{PointStatus::passed, golden_problem(point, campaign), PointTables(schema())};
    FaultCounts counts;
    ImpactSpeed speed;
    const std::int64_t total = num_trials(point);
    for (std::int64_t trial = 0; trial < total; ++trial) {
      if (context.should_stop && context.should_stop()) {
        return {PointStatus::unfinished, "stopped before all trials had run", PointTables(schema())};
      }
      const FaultTrial outcome = speed.run(campaign, control_of(point, trial), trial);
      // Rows follow the numbers of trials without a gap, so that each replays by its row.
      if (trial < point.limits.max_recorded_trials) append_trial(result.tables, trial, outcome, campaign.target());
      counts.add(outcome);
      if (context.progress) context.progress(static_cast<double>(trial + 1) / static_cast<double>(total));
    }
    append_summary(result.tables, counts);
    if (point.record.throughput) {
      const std::string problem = speed.append(campaign, result.tables.timing_summary);
      if (result.reason.empty()) result.reason = problem;
    }
    if (result.reason.empty()) result.reason = campaign.recheck_problem();
    if (result.reason.empty()) result.reason = counts.control_problem();
    if (!result.reason.empty()) result.status = PointStatus::wrong_result;
    return result;
  }

  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t trial) const override {
    KVARIUM_VALIDATE(trial >= 0 && trial < num_trials(point), "trial ", trial, " of a point with ", num_trials(point),
                     " trials; use 0 to ", num_trials(point) - 1);
    FaultCampaign campaign(point, context.random);
    PointResult result{PointStatus::passed, "", PointTables(schema())};
    append_trial(result.tables, trial, campaign.run_trial(control_of(point, trial), trial), campaign.target());
    return result;
  }
};

}  // namespace

void register_fault_impact(Registry<ExperimentKind>& registry) {
  registry.add("fault_impact", std::make_unique<FaultImpact>());
}

}  // namespace kvarium
