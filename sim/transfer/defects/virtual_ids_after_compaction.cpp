#include <memory>

#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The pool moves a request to other blocks; the connector goes on using the numbers from before.
class VirtualIdsAfterCompaction final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the connector sends virtual block numbers where physical ones are needed, once a pool was compacted", "4"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "strikes at the producer; set transfer.path to direct" : "";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    const auto old_table = std::make_shared<std::vector<BlockId>>();
    schedule.insert_after(watched("record"),
                          {"watched: compaction", [old_table](TransferWorld& world) {
                             *old_table =
                                 compact(world, world.engine(EngineRole::producer).addressing(),
                                         [](const TransferWorld&, std::vector<Descriptor> all) { return all; });
                           }});
    schedule.replace(watched("plan"), [old_table](TransferWorld& world) { plan_from_blocks(world, *old_table); });
  }
};

}  // namespace

void register_virtual_ids_after_compaction(Registry<TransferDefect>& registry) {
  registry.add("virtual_ids_after_compaction", std::make_unique<VirtualIdsAfterCompaction>());
}

}  // namespace kvarium
