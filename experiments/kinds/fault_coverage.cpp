#include "experiments/kinds/coverage_campaign.hpp"
#include "experiments/kinds/coverage_sharing.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/fault_rows.hpp"

namespace kvarium {
namespace {

/// Injects one fault a trial into a filled paged cache and asks the checksum.
class FaultCoverage final : public ExperimentKind {
 public:
  std::string description() const override { return "which faults a checksum sees, each in a filled paged KV cache"; }

  KindSchema schema() const override { return coverage_schema(); }

  std::optional<std::string> refusal(const PointConfig& point) const override {
    if (point.device != Device::cpu) return "fault_coverage runs on the cpu so far; set device: cpu";
    if (point.base.fault.model == "none") return "fault.model is none; name one of `kvarium list faults`, or a preset";
    if (point.base.checksum.family == "none") return "checksum.family is none; name one of `kvarium list checksums`";
    if (point.base.workload.concurrent) return "workload.concurrent is of checksum_throughput; leave it false";
    if (point.base.checksum.chunk != 0) return "checksum.chunk is an axis of CUDA families; leave it 0 on the cpu";
    return content_problem(point);
  }

  std::int64_t most_trials(const PointConfig& point) const override {
    return point.replicates.count + point.controls.dummy_injections + point.controls.noise_repeats;
  }

  PointResult run(const PointConfig& point, const PointContext& context) const override {
    return run_coverage(point, context);
  }

  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t trial) const override {
    return CoverageCampaign(point, context.random).replay(trial);
  }
};

}  // namespace

void register_fault_coverage(Registry<ExperimentKind>& registry) {
  registry.add("fault_coverage", std::make_unique<FaultCoverage>());
}

}  // namespace kvarium
