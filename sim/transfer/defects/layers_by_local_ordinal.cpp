#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Buffers are paired by their number within a pipeline rank: later ranks' layers land in the first ones.
class LayersByLocalOrdinal final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"buffers of pipeline ranks are paired by their number within the rank", "17"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool is_split = shape.producer.pipeline_ranks > 1 && shape.consumer.pipeline_ranks == 1;
    return is_split ? "" : "needs pipeline ranks at the producer alone; set transfer.producer.pipeline_ranks to 2";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    const std::int64_t layers_of_rank = world.shape().num_layers / world.shape().producer.pipeline_ranks;
    CacheAddressing& belief = world.belief(EngineRole::consumer);
    for (std::size_t layer = 0; layer < belief.key_buffers.size(); ++layer) {
      belief.key_buffers[layer].index %= layers_of_rank;
      belief.value_buffers[layer].index %= layers_of_rank;
    }
  }
};

}  // namespace

void register_layers_by_local_ordinal(Registry<TransferDefect>& registry) {
  registry.add("layers_by_local_ordinal", std::make_unique<LayersByLocalOrdinal>());
}

}  // namespace kvarium
