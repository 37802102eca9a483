#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The acknowledgement of a deferred release is lost and a timeout releases the blocks with half of them unsent.
class TimeoutRelease final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {
        "the release waits for an acknowledgement that is lost; a timeout releases the blocks halfway through the "
        "transfer",
        "3"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.move_before(watched("release"), watched("send"));
    schedule.replace(watched("send"), [](TransferWorld& world) {
      const TransferPlan& plan = world.plan(world.last_source(), RequestRole::watched);
      world.move(world.last_source(), EngineRole::consumer, half_of(plan, PlanHalf::first));
      let_intruder_fill(world, world.last_source());
      world.move(world.last_source(), EngineRole::consumer, half_of(plan, PlanHalf::second));
    });
  }
};

}  // namespace

void register_timeout_release(Registry<TransferDefect>& registry) {
  registry.add("timeout_release", std::make_unique<TimeoutRelease>());
}

}  // namespace kvarium
