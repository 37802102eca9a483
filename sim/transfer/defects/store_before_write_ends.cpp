#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The store to the tier is not ordered after the kernels that compute the cache, and reads half-written blocks.
class StoreBeforeWriteEnds final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the copy to the host starts before the kernels that write the blocks have ended", "7"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "" : "needs the host tier; set transfer.path to host_tier";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("prefill"), [](TransferWorld& world) {
      world.write(EngineRole::producer, RequestRole::watched, {0, world.length(RequestRole::watched) / 2});
    });
    schedule.insert_after(watched("store"),
                          {"watched: the prefill ends", [](TransferWorld& world) {
                             const std::int64_t length = world.length(RequestRole::watched);
                             world.write(EngineRole::producer, RequestRole::watched, {length / 2, length - length / 2});
                           }});
    schedule.move_after(watched("record"), "watched: the prefill ends");
  }
};

}  // namespace

void register_store_before_write_ends(Registry<TransferDefect>& registry) {
  registry.add("store_before_write_ends", std::make_unique<StoreBeforeWriteEnds>());
}

}  // namespace kvarium
