#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The consumer never contacts the producer's last pipeline rank: its layers are missing.
class PipelineRankNotContacted final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"the consumer never asks one pipeline rank of the producer", "9"}; }

  std::string problem(const TransferShape& shape) const override {
    return shape.producer.pipeline_ranks > 1 ? "" : "needs pipeline ranks; set transfer.producer.pipeline_ranks to 2";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("send"), [](TransferWorld& world) {
      TransferPlan plan = world.plan(world.last_source(), RequestRole::watched);
      const EngineShape& producer = world.shape().producer;
      const std::int64_t last = (producer.pipeline_ranks - 1) * producer.tensor_ranks;
      std::erase_if(plan.descriptors, [&](const Descriptor& descriptor) { return descriptor.from.shard >= last; });
      world.move(world.last_source(), EngineRole::consumer, plan);
    });
  }
};

}  // namespace

void register_pipeline_rank_not_contacted(Registry<TransferDefect>& registry) {
  registry.add("pipeline_rank_not_contacted", std::make_unique<PipelineRankNotContacted>());
}

}  // namespace kvarium
