#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Zeroing of new blocks is queued on a stream that the transfer does not wait for, and wipes some layers of it.
class ZeroFillAfterWrite final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the kernel that zeroes new blocks runs after the transfer has written them", "8", true};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment moment) const override {
    const TransferStep zero{"watched: zero fill", [](TransferWorld& world) {
                              const Engine& consumer = world.engine(EngineRole::consumer);
                              const std::int64_t first_layer = world.shape().num_layers * 3 / 4;
                              for (const BlockId block : consumer.table(RequestRole::watched)) {
                                for (std::int64_t token = 0; token < consumer.block_size(); ++token) {
                                  world.fill_slot(EngineRole::consumer, block.value() * consumer.block_size() + token,
                                                  std::byte{0}, first_layer);
                                }
                              }
                            }};
    insert_at_landing(schedule, moment, zero);
  }
};

}  // namespace

void register_zero_fill_after_write(Registry<TransferDefect>& registry) {
  registry.add("zero_fill_after_write", std::make_unique<ZeroFillAfterWrite>());
}

}  // namespace kvarium
