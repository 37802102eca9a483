#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Every second line of the cache lands after the first step, although the transfer was said to be complete.
class CompletionBeforeLanding final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the transfer is said to be complete while some of its lines are still on their way", "6"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      TransferPlan plan = world.plan(world.last_source(), RequestRole::watched);
      plan.descriptors = piece_starts(plan.descriptors, 128, 64);
      world.move(world.last_source(), EngineRole::consumer, plan);
    });
    schedule.insert_after(watched("first step"),
                          {"watched: the rest lands", [](TransferWorld& world) {
                             const TransferPlan& plan = world.plan(world.last_source(), RequestRole::watched);
                             world.move(world.last_source(), EngineRole::consumer, every_second_line(plan.descriptors));
                           }});
  }
};

}  // namespace

void register_completion_before_landing(Registry<TransferDefect>& registry) {
  registry.add("completion_before_landing", std::make_unique<CompletionBeforeLanding>());
}

}  // namespace kvarium
