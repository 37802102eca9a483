#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"

namespace kvarium {
namespace {

/// A block keeps, in whole, what it held for an earlier request; uniform over layers and attended blocks.
class StaleBlock final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"one block of one layer holds what it held for an earlier request", "3", {}};
  }

  void inject(Injection& injection) const override {
    const StruckBlock block = injection.draw_block();
    const std::vector<std::uint8_t> earlier = earlier_cells(injection, block);
    if (earlier.empty()) return;
    injection.replace(block, earlier);
    injection.strike();
  }
};

}  // namespace

void register_stale_block(Registry<FaultModel>& registry) {
  registry.add("stale_block", std::make_unique<StaleBlock>());
}

}  // namespace kvarium
