#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Two stores share a temporary file, and it is published when half of its bytes are written.
class TruncatedStore final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"a file of the tier is published with half of its bytes", "7"}; }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "" : "needs the host tier; set transfer.path to host_tier";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("store"), [](TransferWorld& world) {
      const TransferPlan& plan = world.plan(EngineRole::producer, RequestRole::watched);
      world.move(EngineRole::producer, EngineRole::host_tier, half_of(plan, PlanHalf::first));
    });
  }
};

}  // namespace

void register_truncated_store(Registry<TransferDefect>& registry) {
  registry.add("truncated_store", std::make_unique<TruncatedStore>());
}

}  // namespace kvarium
