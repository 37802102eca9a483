#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// References to an earlier request's blocks are accepted after they failed; the blocks hold another prompt by now.
class StaleDescriptors final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"descriptors of an earlier request are accepted, whose blocks hold another prompt by now", "4"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("plan"), [](TransferWorld& world) {
      let_intruder_fill(world, world.last_source());
      plan_from_blocks(world, world.engine(world.last_source()).table(RequestRole::intruder));
    });
  }
};

}  // namespace

void register_stale_descriptors(Registry<TransferDefect>& registry) {
  registry.add("stale_descriptors", std::make_unique<StaleDescriptors>());
}

}  // namespace kvarium
