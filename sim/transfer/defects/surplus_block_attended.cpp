#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A block that was taken for the next token is attended, though nothing is written to it yet.
class SurplusBlockAttended final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"attention reads one block more than the request has", "11"}; }

  std::string problem(const TransferShape& shape) const override {
    const bool is_full = shape.num_tokens % shape.consumer.block_size == 0;
    return is_full ? "" : "needs a prompt of whole blocks; change batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("load table"), {"watched: one block more", [](TransferWorld& world) {
                                                    Engine& consumer = world.engine(EngineRole::consumer);
                                                    ReaderState& reader = world.reader(RequestRole::watched);
                                                    reader.table.push_back(consumer.pool().allocate(1).front().value());
                                                    reader.length += static_cast<std::int32_t>(consumer.block_size());
                                                  }});
  }
};

}  // namespace

void register_surplus_block_attended(Registry<TransferDefect>& registry) {
  registry.add("surplus_block_attended", std::make_unique<SurplusBlockAttended>());
}

}  // namespace kvarium
