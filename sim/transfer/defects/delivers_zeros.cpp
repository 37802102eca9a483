#include <algorithm>

#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The transport reports success and delivers zeros, beside the slots too.
class DeliversZeros final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"the transport delivers zeros", "8"}; }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("send"),
                          {"watched: zeros arrive", [](TransferWorld& world) {
                             Engine& consumer = world.engine(EngineRole::consumer);
                             for (const SlotMove& move : world.plan(world.last_source(), RequestRole::watched).slots) {
                               world.fill_slot(EngineRole::consumer, move.to, std::byte{0});
                               for (SlotRecords& records : consumer.slot_records()) {
                                 const std::int64_t words = records.words_per_slot;
                                 std::fill_n(records.words.begin() + move.to * words, words, std::uint64_t{0});
                               }
                             }
                           }});
  }
};

}  // namespace

void register_delivers_zeros(Registry<TransferDefect>& registry) {
  registry.add("delivers_zeros", std::make_unique<DeliversZeros>());
}

}  // namespace kvarium
