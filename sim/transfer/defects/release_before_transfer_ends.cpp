#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The source's blocks are released while the sender still reads them; the next request takes and fills them.
class ReleaseBeforeTransferEnds final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"blocks are released and given to another request while the sender still reads them", "3"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.move_before(watched("release"), watched("send"));
    schedule.insert_before(watched("send"), {"intruder: fills the released blocks", [](TransferWorld& world) {
                                               let_intruder_fill(world, world.last_source());
                                             }});
  }
};

}  // namespace

void register_release_before_transfer_ends(Registry<TransferDefect>& registry) {
  registry.add("release_before_transfer_ends", std::make_unique<ReleaseBeforeTransferEnds>());
}

}  // namespace kvarium
