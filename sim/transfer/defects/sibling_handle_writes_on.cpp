#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A transfer has one handle a rank; the first to fail frees the blocks, the others go on writing into them.
class SiblingHandleWritesOn final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"one failed handle of a transfer frees the blocks while its siblings go on writing", "5", true};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.consumer.tensor_ranks > 1 ? "" : "needs a handle a rank; set transfer.consumer.tensor_ranks to 2";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment moment) const override {
    schedule.insert_before(watched("allocate at consumer"), {"intruder: a handle fails", plan_and_abort_intruder});
    const TransferStep late{"intruder: another handle writes", [](TransferWorld& world) {
                              const TransferPlan& plan = world.plan(world.last_source(), RequestRole::intruder);
                              const std::int64_t last = std::ssize(world.engine(EngineRole::consumer).shards()) - 1;
                              world.move(world.last_source(), EngineRole::consumer,
                                         kept_descriptors(plan.descriptors, [&](const Descriptor& descriptor) {
                                           return descriptor.to.shard == last;
                                         }));
                            }};
    insert_at_landing(schedule, moment, late);
  }
};

}  // namespace

void register_sibling_handle_writes_on(Registry<TransferDefect>& registry) {
  registry.add("sibling_handle_writes_on", std::make_unique<SiblingHandleWritesOn>());
}

}  // namespace kvarium
