#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The pinned buffer of a block table is filled anew before the copy to the device ran: attention reads another
/// request's blocks.
class TableBufferReused final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the buffer of a block table is filled for the next batch before its copy to the device ran", "4"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("load table"),
                          {"neighbour: the table's buffer is used again", [](TransferWorld& world) {
                             world.reader(RequestRole::watched).table = world.reader(RequestRole::neighbour).table;
                           }});
  }
};

}  // namespace

void register_table_buffer_reused(Registry<TransferDefect>& registry) {
  registry.add("table_buffer_reused", std::make_unique<TableBufferReused>());
}

}  // namespace kvarium
