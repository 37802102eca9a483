#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The last layer keeps a window; its blocks are taken from the start of the request instead of from its end.
class WindowAnchoredAtStart final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the blocks of a windowed layer are counted from the wrong end of the request", "10"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool has_blocks = shape.num_tokens > shape.consumer.block_size;
    return has_blocks ? "" : "needs a window of several blocks; use a longer batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(
        watched("plan"),
        {"watched: plan of the window", [](TransferWorld& world) {
           const std::int64_t windowed = world.shape().num_layers - 1;
           const auto is_windowed = [&](const Descriptor& descriptor) { return descriptor.layer == windowed; };
           const EngineRole source = world.last_source();
           TransferPlan& plan = world.plan(source, RequestRole::watched);
           std::erase_if(plan.descriptors, is_windowed);
           TransferPlan window = plan_transfer(
               {world.belief(source), world.engine(source).table(RequestRole::watched)},
               {world.belief(EngineRole::consumer), world.engine(EngineRole::consumer).table(RequestRole::watched), 1});
           for (const Descriptor& descriptor : kept_descriptors(window.descriptors, is_windowed)) {
             plan.descriptors.push_back(descriptor);
           }
         }});
  }
};

}  // namespace

void register_window_anchored_at_start(Registry<TransferDefect>& registry) {
  registry.add("window_anchored_at_start", std::make_unique<WindowAnchoredAtStart>());
}

}  // namespace kvarium
