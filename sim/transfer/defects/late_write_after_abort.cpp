#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A request is aborted and its blocks at the consumer are reused, while its sender goes on writing into them.
class LateWriteAfterAbort final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"an aborted request's blocks go to the next one while its sender still writes", "5", true};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment moment) const override {
    schedule.insert_before(watched("allocate at consumer"), {"intruder: is aborted", plan_and_abort_intruder});
    const TransferStep late{"intruder: send", [](TransferWorld& world) {
                              world.move(world.last_source(), EngineRole::consumer,
                                         world.plan(world.last_source(), RequestRole::intruder));
                            }};
    insert_at_landing(schedule, moment, late);
  }
};

}  // namespace

void register_late_write_after_abort(Registry<TransferDefect>& registry) {
  registry.add("late_write_after_abort", std::make_unique<LateWriteAfterAbort>());
}

}  // namespace kvarium
