#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Only a request's first block number is used; its blocks are taken to follow one another.
class ConsecutiveBlockIds final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"the blocks of a request are taken to follow its first one", "4"}; }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("plan"), [](TransferWorld& world) {
      const EngineRole source = world.last_source();
      std::vector<BlockId> blocks = world.engine(source).table(RequestRole::watched);
      for (std::size_t block = 1; block < blocks.size(); ++block)
        blocks[block] = BlockId{blocks[block - 1].value() + 1};
      world.plan(source, RequestRole::watched) = plan_transfer(
          {world.belief(source), blocks},
          {world.belief(EngineRole::consumer), world.engine(EngineRole::consumer).table(RequestRole::watched)});
    });
  }
};

}  // namespace

void register_consecutive_block_ids(Registry<TransferDefect>& registry) {
  registry.add("consecutive_block_ids", std::make_unique<ConsecutiveBlockIds>());
}

}  // namespace kvarium
