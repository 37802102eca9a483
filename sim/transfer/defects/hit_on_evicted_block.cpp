#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The index of prefixes names a block that was evicted; the request shares what another one keeps there.
class HitOnEvictedBlock final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the index of prefixes still names a block that was evicted and given to another request", "3"};
  }

  std::string problem(const TransferShape& shape) const override { return second_block_problem(shape); }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("allocate"), [](TransferWorld& world) {
      Engine& producer = world.engine(EngineRole::producer);
      let_intruder_fill(world, EngineRole::producer);
      world.allocate(EngineRole::producer, RequestRole::watched);
      BlockId& first = producer.table(RequestRole::watched).front();
      producer.pool().release(first);
      first = producer.table(RequestRole::intruder).front();
      producer.pool().add_reference(first);
    });
    schedule.replace(watched("prefill"), prefill_behind_first_block);
  }
};

}  // namespace

void register_hit_on_evicted_block(Registry<TransferDefect>& registry) {
  registry.add("hit_on_evicted_block", std::make_unique<HitOnEvictedBlock>());
}

}  // namespace kvarium
