#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Two blocks are stored into one block of the tier concurrently, so that it holds lines of both.
class TwoOffloadsOneSlot final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"two blocks are stored into one block of the tier at the same time", "8"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "" : "needs the host tier; set transfer.path to host_tier";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("store"),
                          {"intruder: stores into the same block", [](TransferWorld& world) {
                             let_intruder_fill(world, EngineRole::producer);
                             Engine& tier = world.engine(EngineRole::host_tier);
                             tier.table(RequestRole::intruder) = {tier.table(RequestRole::watched).front()};
                             world.make_plan(EngineRole::producer, EngineRole::host_tier, RequestRole::intruder);
                             const TransferPlan& plan = world.plan(EngineRole::producer, RequestRole::intruder);
                             world.move(EngineRole::producer, EngineRole::host_tier,
                                        every_second_line(plan.descriptors));
                           }});
  }
};

}  // namespace

void register_two_offloads_one_slot(Registry<TransferDefect>& registry) {
  registry.add("two_offloads_one_slot", std::make_unique<TwoOffloadsOneSlot>());
}

}  // namespace kvarium
