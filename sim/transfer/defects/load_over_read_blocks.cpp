#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The scheduler gives a finished request's blocks to a load, while a step that reads them is still running.
class LoadOverReadBlocks final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"a load from the host overwrites blocks that a running step still reads", "6"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "" : "needs the host tier; set transfer.path to host_tier";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("first step"),
                          {"intruder: is loaded", [](TransferWorld& world) {
                             let_intruder_fill(world, EngineRole::host_tier);
                             world.release(EngineRole::consumer, RequestRole::watched);
                             world.allocate(EngineRole::consumer, RequestRole::intruder);
                             world.make_plan(EngineRole::host_tier, EngineRole::consumer, RequestRole::intruder);
                             world.move(EngineRole::host_tier, EngineRole::consumer,
                                        world.plan(EngineRole::host_tier, RequestRole::intruder));
                           }});
  }
};

}  // namespace

void register_load_over_read_blocks(Registry<TransferDefect>& registry) {
  registry.add("load_over_read_blocks", std::make_unique<LoadOverReadBlocks>());
}

}  // namespace kvarium
