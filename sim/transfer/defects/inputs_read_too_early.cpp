#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A wait is left out: one token is computed, from some layer on, from what stood in its input before.
class InputsReadTooEarly final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"a wait is left out, so that rows are computed from the input of the step before", "20"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.num_tokens > 1 ? ""
                                : "needs a token before the one that is spoiled; use a longer batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("prefill"),
                          {"watched: a token of old input", [](TransferWorld& world) {
                             const Engine& producer = world.engine(EngineRole::producer);
                             const std::int64_t length = world.length(RequestRole::watched);
                             const auto bound = static_cast<std::uint64_t>(length - 1);
                             const auto token = 1 + static_cast<std::int64_t>(world.random().below(bound));
                             const auto row = static_cast<std::size_t>(token / producer.block_size());
                             const std::int64_t block = producer.table(RequestRole::watched)[row].value();
                             world.write_cells(EngineRole::producer, RequestRole::watched, token - 1,
                                               block * producer.block_size() + token % producer.block_size(),
                                               world.shape().num_layers / 2);
                             world.announce_written(EngineRole::producer, RequestRole::watched, {0, length});
                           }});
  }
};

}  // namespace

void register_inputs_read_too_early(Registry<TransferDefect>& registry) {
  registry.add("inputs_read_too_early", std::make_unique<InputsReadTooEarly>());
}

}  // namespace kvarium
