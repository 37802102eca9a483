#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/transfer_tables.hpp"
#include "experiments/kinds/variant_problem.hpp"

namespace kvarium {
namespace {

/// Moves requests from a producer to a consumer, with a defect on the way, and asks every checksum.
class Transfer final : public ExperimentKind {
 public:
  std::string description() const override {
    return "what a defect on the way from producer to consumer does, and which checksum sees it where";
  }

  KindSchema schema() const override { return transfer_schema(); }

  std::optional<std::string> refusal(const PointConfig& point) const override {
    if (point.device != Device::cpu) return "transfer runs on the cpu so far; set device: cpu";
    if (auto problem = variant_problem(point)) return problem;
    if (auto problem = verification_problem(point)) return problem;
    if (point.base.fault.model != "none" || point.base.fault.preset != "none") {
      return "transfer takes defects, not faults; leave fault.model and fault.preset none";
    }
    if (point.base.checksum.family != "none") return "transfer asks every checksum; leave checksum.family none";
    if (point.base.batch.context_length == 0) return "context_length is 0, so nothing is sent; use 1 token or more";
    return content_problem(point);
  }

  std::int64_t most_trials(const PointConfig& point) const override { return point.replicates.count; }

  PointResult run(const PointConfig& point, const PointContext& context) const override {
    const TransferCampaign campaign(point, context.random);
    PointResult result{PointStatus::passed, "", PointTables(schema())};
    TransferCounts counts;
    for (std::int64_t number = 0; number < point.replicates.count; ++number) {
      if (context.should_stop && context.should_stop()) {
        return {PointStatus::unfinished, "stopped before all trials had run", PointTables(schema())};
      }
      const TransferTrial trial = campaign.run_trial(number);
      counts.add(trial);
      if (number < point.limits.max_recorded_trials) append_transfer_trial(result.tables.trials, trial);
      if (context.progress) {
        context.progress(static_cast<double>(number + 1) / static_cast<double>(point.replicates.count));
      }
    }
    counts.append_summary(result.tables.summary);
    counts.append_timing(result.tables.timing);
    if (point.base.transfer.defect == "none" && counts.num_damaged() + counts.num_alarms() > 0) {
      result.status = PointStatus::wrong_result;
      result.reason = concatenate("without a defect ", counts.num_damaged(), " trials were damaged and ",
                                  counts.num_alarms(), " raised an alarm");
    }
    return result;
  }

  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t number) const override {
    KVARIUM_VALIDATE(number >= 0 && number < point.replicates.count, "trial ", number, " of a point with ",
                     point.replicates.count, " trials; use 0 to ", point.replicates.count - 1);
    PointResult result{PointStatus::passed, "", PointTables(schema())};
    append_transfer_trial(result.tables.trials, TransferCampaign(point, context.random).run_trial(number));
    return result;
  }
};

}  // namespace

void register_transfer(Registry<ExperimentKind>& registry) { registry.add("transfer", std::make_unique<Transfer>()); }

}  // namespace kvarium
