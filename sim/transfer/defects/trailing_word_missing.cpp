#include <algorithm>

#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Orders the stretches of whole blocks first, whose last word is attended, and counts them.
std::int64_t full_blocks(const TransferWorld& world, TransferPlan& plan) {
  const bool has_tail = world.length(RequestRole::watched) % world.shape().consumer.block_size != 0;
  const std::int64_t full = last_block(world) + (has_tail ? 0 : 1);
  const auto middle = std::stable_partition(plan.descriptors.begin(), plan.descriptors.end(),
                                            [&](const Descriptor& one) { return one.logical_block < full; });
  return middle - plan.descriptors.begin();
}

/// The last eight bytes of one stretch never arrive.
class TrailingWordMissing final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"the last word of a write over the network is missing", "7"}; }

  std::string problem(const TransferShape& shape) const override {
    const bool has_block = shape.num_tokens >= shape.consumer.block_size;
    return has_block ? "" : "needs a whole block; use a longer batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      TransferPlan plan = world.plan(world.last_source(), RequestRole::watched);
      const std::uint64_t full = static_cast<std::uint64_t>(full_blocks(world, plan));
      std::int64_t& bytes = plan.descriptors[world.random().below(full)].bytes;
      bytes = std::max<std::int64_t>(bytes - 8, 0);
      world.move(world.last_source(), EngineRole::consumer, plan);
    });
  }
};

}  // namespace

void register_trailing_word_missing(Registry<TransferDefect>& registry) {
  registry.add("trailing_word_missing", std::make_unique<TrailingWordMissing>());
}

}  // namespace kvarium
