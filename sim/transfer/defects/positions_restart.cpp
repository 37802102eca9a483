#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The first block comes from the prefix cache; the tokens behind it are computed with positions that begin at 0.
class PositionsRestart final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"after a hit in the prefix cache, positions begin at 0 again", "20"}; }

  std::string problem(const TransferShape& shape) const override {
    const bool has_blocks = shape.num_tokens > shape.producer.block_size;
    return has_blocks ? "" : "needs tokens behind a block; use a longer batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("prefill"), [](TransferWorld& world) {
      const std::int64_t size = world.engine(EngineRole::producer).block_size();
      const std::int64_t length = world.length(RequestRole::watched);
      world.write(EngineRole::producer, RequestRole::watched, {0, size});
      world.write_positions(EngineRole::producer, RequestRole::watched, {size, length - size}, 0);
    });
  }
};

}  // namespace

void register_positions_restart(Registry<TransferDefect>& registry) {
  registry.add("positions_restart", std::make_unique<PositionsRestart>());
}

}  // namespace kvarium
