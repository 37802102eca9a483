#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The connector was told the logical block size, the kernels use half of it.
class ConnectorBlockSize final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the connector takes blocks for twice as large as the kernels do", "10"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool is_known = shape.producer.block_size <= 128 && shape.consumer.block_size <= 128;
    return is_known ? "" : "has no block size twice as large; use blocks of at most 128 tokens";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    for (const EngineRole role : {world.last_source(), EngineRole::consumer}) {
      CacheAddressing& belief = world.belief(role);
      belief.geometry.block_size *= 2;
      belief.geometry.num_blocks /= 2;
      assume_layout(belief, belief.geometry.layout);
    }
  }
};

}  // namespace

void register_connector_block_size(Registry<TransferDefect>& registry) {
  registry.add("connector_block_size", std::make_unique<ConnectorBlockSize>());
}

}  // namespace kvarium
