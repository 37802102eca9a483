#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Names of adapters are no part of the hash: the request shares blocks computed by another one from the same tokens.
class SharedHashDomain final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"another adapter or tenant has the same hash for its blocks", "18"}; }

  std::string problem(const TransferShape& shape) const override { return second_block_problem(shape); }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.replace(watched("allocate"), [](TransferWorld& world) {
      Engine& producer = world.engine(EngineRole::producer);
      constexpr BlockHash equal_tokens{1};
      world.allocate(EngineRole::producer, RequestRole::watched);
      producer.pool().remember(producer.table(RequestRole::watched).front(), equal_tokens);
      for (std::int64_t token = 0; token < producer.block_size(); ++token) {
        const std::int64_t block = producer.table(RequestRole::watched).front().value();
        world.write_cells(EngineRole::producer, RequestRole::intruder, token, block * producer.block_size() + token);
      }
      // The tokens are the same, and so are the records beside their slots.
      world.announce_written(EngineRole::producer, RequestRole::watched, {0, producer.block_size()});
      world.release(EngineRole::producer, RequestRole::watched);
      share_first_block(world, equal_tokens);
    });
    schedule.replace(watched("prefill"), prefill_behind_first_block);
  }
};

}  // namespace

void register_shared_hash_domain(Registry<TransferDefect>& registry) {
  registry.add("shared_hash_domain", std::make_unique<SharedHashDomain>());
}

}  // namespace kvarium
