#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A padding token has slot -1, which an index that wraps takes for the last slot of the cache.
class PaddingSlotWraps final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the slot -1 of a padding token is taken for the last slot of the last block", "4"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("check on landing"),
                          {"intruder: a padding token is written", [](TransferWorld& world) {
                             const Engine& consumer = world.engine(EngineRole::consumer);
                             const std::int64_t slot = consumer.num_blocks() * consumer.block_size() - 1;
                             if (!is_served_slot(world, slot))
                               return world.refuse("no served request stores the last slot");
                             world.write_cells(EngineRole::consumer, RequestRole::intruder, 0, slot);
                           }});
  }
};

}  // namespace

void register_padding_slot_wraps(Registry<TransferDefect>& registry) {
  registry.add("padding_slot_wraps", std::make_unique<PaddingSlotWraps>());
}

}  // namespace kvarium
