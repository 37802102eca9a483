#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The consumer takes one block more for lookahead; matched from the end, each block lands one position too late.
class LookaheadBlockShift final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"a block for lookahead tokens shifts the mapping of blocks by one when the prompt ends with a block", "10"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool is_full = shape.num_tokens % shape.consumer.block_size == 0;
    return is_full ? "" : "needs a prompt of whole blocks; change batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("plan"), [](TransferWorld& world) {
      Engine& consumer = world.engine(EngineRole::consumer);
      std::vector<BlockId> blocks = consumer.table(RequestRole::watched);
      blocks.push_back(consumer.pool().allocate(1).front());
      const EngineRole source = world.last_source();
      world.plan(source, RequestRole::watched) =
          plan_transfer({world.belief(source), world.engine(source).table(RequestRole::watched)},
                        {world.belief(EngineRole::consumer), blocks, 1});
    });
  }
};

}  // namespace

void register_lookahead_block_shift(Registry<TransferDefect>& registry) {
  registry.add("lookahead_block_shift", std::make_unique<LookaheadBlockShift>());
}

}  // namespace kvarium
