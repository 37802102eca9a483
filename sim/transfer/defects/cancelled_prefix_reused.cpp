#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A prompt is cancelled after its first block was made findable and before it was computed; the retry shares the
/// block.
class CancelledPrefixReused final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"blocks are findable by their tokens before they are computed; the request is cancelled and retried", "11"};
  }

  std::string problem(const TransferShape& shape) const override { return second_block_problem(shape); }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("allocate"), [](TransferWorld& world) {
      Engine& producer = world.engine(EngineRole::producer);
      constexpr BlockHash first_block{1};
      const BlockId cancelled = producer.pool().allocate(1).front();
      producer.pool().remember(cancelled, first_block);
      producer.pool().release(cancelled);
      share_first_block(world, first_block);
    });
    schedule.replace(watched("prefill"), prefill_behind_first_block);
  }
};

}  // namespace

void register_cancelled_prefix_reused(Registry<TransferDefect>& registry) {
  registry.add("cancelled_prefix_reused", std::make_unique<CancelledPrefixReused>());
}

}  // namespace kvarium
