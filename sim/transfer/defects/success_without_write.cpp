#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Some descriptors are never executed, and the transfer reports success.
class SuccessWithoutWrite final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"a transfer that skipped the last block reports success", "9"}; }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      const TransferPlan& plan = world.plan(world.last_source(), RequestRole::watched);
      const std::int64_t last = last_block(world);
      world.move(world.last_source(), EngineRole::consumer,
                 kept_descriptors(plan.descriptors,
                                  [&](const Descriptor& descriptor) { return descriptor.logical_block != last; }));
      world.move_slots(world.last_source(), EngineRole::consumer,
                       slots_before(plan.slots, last * world.engine(EngineRole::consumer).block_size()));
    });
  }
};

}  // namespace

void register_success_without_write(Registry<TransferDefect>& registry) {
  registry.add("success_without_write", std::make_unique<SuccessWithoutWrite>());
}

}  // namespace kvarium
