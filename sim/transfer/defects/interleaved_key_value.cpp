#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// K and V lie in two regions; the connector looks for the V of a block behind its K.
class InterleavedKeyValue final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the connector takes K and V to alternate block by block; they lie in two regions", "14"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool has_regions =
        shape.producer.layout != CacheLayout::packed && shape.consumer.layout != CacheLayout::packed;
    return has_regions ? "" : "needs K and V in two regions; use another layout than packed";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    for (const EngineRole role : {world.last_source(), EngineRole::consumer}) {
      CacheAddressing& belief = world.belief(role);
      belief.value_base = belief.key.block * element_bytes(belief.geometry.element_type);
      belief.key.block *= 2;
      belief.value.block *= 2;
    }
  }
};

}  // namespace

void register_interleaved_key_value(Registry<TransferDefect>& registry) {
  registry.add("interleaved_key_value", std::make_unique<InterleavedKeyValue>());
}

}  // namespace kvarium
