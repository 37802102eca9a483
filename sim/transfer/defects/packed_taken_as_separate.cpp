#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// K and V of a cell lie side by side; the connector takes the memory for a region of K and one of V.
class PackedTakenAsSeparate final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the connector takes cells of K and V side by side for two separate tensors", "14"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool is_packed = shape.producer.layout == CacheLayout::packed && shape.consumer.layout == CacheLayout::packed;
    return is_packed ? "" : "needs packed caches; set cache.layout to packed";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    for (const EngineRole role : {world.last_source(), EngineRole::consumer}) {
      assume_layout(world.belief(role), CacheLayout::hnd);
    }
  }
};

}  // namespace

void register_packed_taken_as_separate(Registry<TransferDefect>& registry) {
  registry.add("packed_taken_as_separate", std::make_unique<PackedTakenAsSeparate>());
}

}  // namespace kvarium
