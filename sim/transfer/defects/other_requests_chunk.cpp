#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The tier returns another request's chunk in place of the first one.
class OtherRequestsChunk final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"the tier returns another request's chunk for a key", "4"}; }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "" : "needs the host tier; set transfer.path to host_tier";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("plan"), [](TransferWorld& world) {
      let_intruder_fill(world, EngineRole::host_tier);
      const Engine& tier = world.engine(EngineRole::host_tier);
      std::vector<BlockId> blocks = tier.table(RequestRole::watched);
      blocks.front() = tier.table(RequestRole::intruder).front();
      plan_from_blocks(world, blocks);
    });
  }
};

}  // namespace

void register_other_requests_chunk(Registry<TransferDefect>& registry) {
  registry.add("other_requests_chunk", std::make_unique<OtherRequestsChunk>());
}

}  // namespace kvarium
