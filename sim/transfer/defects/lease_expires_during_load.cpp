#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The lease of a stored object ends during a slow load: its second half comes from what was stored there next.
class LeaseExpiresDuringLoad final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"an object is evicted and its memory filled anew while it is being loaded", "3"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "" : "needs the host tier; set transfer.path to host_tier";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      const TransferPlan& plan = world.plan(EngineRole::host_tier, RequestRole::watched);
      world.move(EngineRole::host_tier, EngineRole::consumer, half_of(plan, PlanHalf::first));
      world.release(EngineRole::host_tier, RequestRole::watched);
      let_intruder_fill(world, EngineRole::host_tier);
      world.move(EngineRole::host_tier, EngineRole::consumer, half_of(plan, PlanHalf::second));
    });
    schedule.remove(watched("release"));
  }
};

}  // namespace

void register_lease_expires_during_load(Registry<TransferDefect>& registry) {
  registry.add("lease_expires_during_load", std::make_unique<LeaseExpiresDuringLoad>());
}

}  // namespace kvarium
