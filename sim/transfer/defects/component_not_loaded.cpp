#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The last layer is stored, but the load leaves it out.
class ComponentNotLoaded final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"one buffer of the cache is not loaded", "9"}; }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      TransferPlan plan = world.plan(world.last_source(), RequestRole::watched);
      const std::int64_t layer = world.shape().num_layers - 1;
      std::erase_if(plan.descriptors, [&](const Descriptor& descriptor) { return descriptor.layer == layer; });
      world.move(world.last_source(), EngineRole::consumer, plan);
    });
  }
};

}  // namespace

void register_component_not_loaded(Registry<TransferDefect>& registry) {
  registry.add("component_not_loaded", std::make_unique<ComponentNotLoaded>());
}

}  // namespace kvarium
