#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The list of buffers holds a draft model's too, so that V buffers counted from its middle are those of a later layer.
class ValuePointersPastDrafts final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"V buffers are found at half of a list that a draft model made longer", "17"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool has_layers = shape.num_layers > shape.consumer.pipeline_ranks;
    return has_layers ? "" : "needs several layers a rank; raise cache.num_layers";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    std::vector<LayerBuffer>& buffers = world.belief(EngineRole::consumer).value_buffers;
    for (LayerBuffer& buffer : buffers) ++buffer.index;
  }
};

}  // namespace

void register_value_pointers_past_drafts(Registry<TransferDefect>& registry) {
  registry.add("value_pointers_past_drafts", std::make_unique<ValuePointersPastDrafts>());
}

}  // namespace kvarium
