#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The connection dies halfway through, and the request is served nevertheless.
class FailedTransferServed final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"a connection dies halfway, and the path of failures serves what is there", "9"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      const TransferPlan& plan = world.plan(world.last_source(), RequestRole::watched);
      world.move(world.last_source(), EngineRole::consumer, half_of(plan, PlanHalf::first));
    });
  }
};

}  // namespace

void register_failed_transfer_served(Registry<TransferDefect>& registry) {
  registry.add("failed_transfer_served", std::make_unique<FailedTransferServed>());
}

}  // namespace kvarium
