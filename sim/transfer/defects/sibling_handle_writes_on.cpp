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
    schedule.insert_before(watched("allocate at consumer"),
                           {"intruder: a handle fails", [](TransferWorld& world) {
                              let_intruder_fill(world, world.last_source());
                              world.allocate(EngineRole::consumer, RequestRole::intruder);
                              world.make_plan(world.last_source(), EngineRole::consumer, RequestRole::intruder);
                              world.release(EngineRole::consumer, RequestRole::intruder);
                            }});
    const TransferStep late{"intruder: another handle writes", [](TransferWorld& world) {
                              const TransferPlan& plan = world.plan(world.last_source(), RequestRole::intruder);
                              const std::int64_t last = std::ssize(world.engine(EngineRole::consumer).shards()) - 1;
                              world.move(world.last_source(), EngineRole::consumer,
                                         kept_descriptors(plan.descriptors, [&](const Descriptor& descriptor) {
                                           return descriptor.to.shard == last;
                                         }));
                            }};
    const std::string landing = watched("check on landing");
    moment == StrikeMoment::before_check ? schedule.insert_before(landing, late) : schedule.insert_after(landing, late);
  }
};

}  // namespace

void register_sibling_handle_writes_on(Registry<TransferDefect>& registry) {
  registry.add("sibling_handle_writes_on", std::make_unique<SiblingHandleWritesOn>());
}

}  // namespace kvarium
