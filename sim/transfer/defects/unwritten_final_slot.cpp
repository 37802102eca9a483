#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The last token was sampled but never computed; its slot holds what a rejected draft left, and both ends count it.
class UnwrittenFinalSlot final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the slot of the last sampled token counts as filled although it holds a rejected draft's", "11"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("prefill"), [](TransferWorld& world) {
      Engine& producer = world.engine(EngineRole::producer);
      const std::int64_t last = world.length(RequestRole::watched) - 1;
      world.write(EngineRole::producer, RequestRole::watched, {0, last});
      producer.table(RequestRole::intruder) = producer.table(RequestRole::watched);
      world.write(EngineRole::producer, RequestRole::intruder, {last, 1});
      producer.table(RequestRole::intruder).clear();
    });
  }
};

}  // namespace

void register_unwritten_final_slot(Registry<TransferDefect>& registry) {
  registry.add("unwritten_final_slot", std::make_unique<UnwrittenFinalSlot>());
}

}  // namespace kvarium
