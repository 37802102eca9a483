#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Only a request's first block number is used; its blocks are taken to follow one another.
class ConsecutiveBlockIds final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"the blocks of a request are taken to follow its first one", "4"}; }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("plan"), [](TransferWorld& world) {
      std::vector<BlockId> blocks = world.engine(world.last_source()).table(RequestRole::watched);
      for (std::size_t block = 1; block < blocks.size(); ++block)
        blocks[block] = BlockId{blocks[block - 1].value() + 1};
      plan_from_blocks(world, blocks);
    });
  }
};

}  // namespace

void register_consecutive_block_ids(Registry<TransferDefect>& registry) {
  registry.add("consecutive_block_ids", std::make_unique<ConsecutiveBlockIds>());
}

}  // namespace kvarium
