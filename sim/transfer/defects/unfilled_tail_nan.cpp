#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Slots behind the last token hold NaN, which a kernel that multiplies them by zero would spread.
class UnfilledTailNan final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"what stands behind the filled tokens of a block is NaN", "16", true};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool is_partial = shape.num_tokens % shape.consumer.block_size != 0;
    return is_partial ? "" : "needs a partly filled block; change batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment moment) const override {
    const TransferStep garbage{"watched: the tail becomes NaN", [](TransferWorld& world) {
                                 const Engine& consumer = world.engine(EngineRole::consumer);
                                 const std::int64_t block = consumer.table(RequestRole::watched).back().value();
                                 const std::int64_t filled = world.length(RequestRole::watched) % consumer.block_size();
                                 for (std::int64_t token = filled; token < consumer.block_size(); ++token) {
                                   world.fill_slot(EngineRole::consumer, block * consumer.block_size() + token,
                                                   std::byte{0xFF});
                                 }
                               }};
    insert_at_landing(schedule, moment, garbage);
  }
};

}  // namespace

void register_unfilled_tail_nan(Registry<TransferDefect>& registry) {
  registry.add("unfilled_tail_nan", std::make_unique<UnfilledTailNan>());
}

}  // namespace kvarium
