#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The copy of the last, partly filled block moves twice as many bytes as its tokens have, past the end of the block.
class PartialCopyTwiceAsLong final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the copy of a partly filled block counts the bytes of K and V although there is one tensor", "12"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool is_same = shape.producer == shape.consumer && shape.consumer.layout == CacheLayout::nhd;
    if (!is_same) return "copies whole rows of tokens; use layout nhd at both ends, with equal ranks and blocks";
    const std::int64_t valid = shape.num_tokens % shape.consumer.block_size;
    return 2 * valid > shape.consumer.block_size
               ? ""
               : "twice the last block's tokens must not fit into it; change batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      TransferPlan plan = world.plan(world.last_source(), RequestRole::watched);
      const std::int64_t size = world.shape().consumer.block_size;
      const std::int64_t valid = world.length(RequestRole::watched) % size;
      const BlockId last = world.engine(EngineRole::consumer).table(RequestRole::watched).back();
      const bool has_next = is_served_slot(world, (last.value() + 1) * size);
      if (!has_next) world.refuse("no served request stores the next block");
      for (Descriptor& descriptor : plan.descriptors) {
        if (!has_next || descriptor.logical_block != last_block(world)) continue;
        descriptor.bytes = 2 * descriptor.bytes * valid / size;
      }
      world.move(world.last_source(), EngineRole::consumer, plan);
    });
  }
};

}  // namespace

void register_partial_copy_twice_as_long(Registry<TransferDefect>& registry) {
  registry.add("partial_copy_twice_as_long", std::make_unique<PartialCopyTwiceAsLong>());
}

}  // namespace kvarium
