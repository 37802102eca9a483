#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The last layer's buffer is sent one block shorter than the others: fresh contents beside an old tail.
class ShortComponent final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"one buffer of the cache is sent shorter than the others", "11"}; }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      TransferPlan plan = world.plan(world.last_source(), RequestRole::watched);
      const std::int64_t layer = world.shape().num_layers - 1;
      const std::int64_t last = last_block(world);
      std::erase_if(plan.descriptors, [&](const Descriptor& descriptor) {
        return descriptor.layer == layer && descriptor.logical_block == last;
      });
      world.move(world.last_source(), EngineRole::consumer, plan);
    });
  }
};

}  // namespace

void register_short_component(Registry<TransferDefect>& registry) {
  registry.add("short_component", std::make_unique<ShortComponent>());
}

}  // namespace kvarium
