#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A row of the device's block table is updated but for its last entry, which another request left.
class StaleTableTail final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the last entry of a block table is that of the request that used the row before", "4"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("load table"), {"watched: the last entry stays", [](TransferWorld& world) {
                                                    world.reader(RequestRole::watched).table.back() =
                                                        world.reader(RequestRole::neighbour).table.back();
                                                  }});
  }
};

}  // namespace

void register_stale_table_tail(Registry<TransferDefect>& registry) {
  registry.add("stale_table_tail", std::make_unique<StaleTableTail>());
}

}  // namespace kvarium
