#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"
#include "sim/faults/token_rows.hpp"

namespace kvarium {
namespace {

/// A write of an earlier owner lands in a block that was given away: a run of its token rows holds the earlier
/// request's rows, in one layer or in all. The stage says when: before or after the new owner's sum. Source:
/// sgl-project/sglang#24527, #32564 (pages freed while RDMA still writes), vllm#56104.
class LateWrite final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"token rows of an earlier owner land in a block of another request", "5", {"layers"}};
  }

  void inject(Injection& injection) const override {
    const LayerRange layers = draw_layers(injection);
    const DrawnToken token = injection.draw_token(layers.first);
    const std::int64_t size = injection.target().geometry().block_size;
    const std::int64_t end = token.token + 1 + injection.below(size - token.token);
    const std::int64_t start = injection.below(token.token + 1);
    for (std::int64_t layer = layers.first; layer < layers.end && injection.is_applicable(); ++layer) {
      const StruckBlock block = Injection::in_layer(token.block, layer);
      const std::vector<std::uint8_t> earlier = earlier_cells(injection, block);
      if (earlier.empty()) return;
      for (std::int64_t row = start; row < end; ++row) copy_token(injection, block, row, earlier);
    }
    injection.set_detail(concatenate("rows ", start, " to ", end - 1));
    injection.strike();
  }
};

}  // namespace

void register_late_write(Registry<FaultModel>& registry) { registry.add("late_write", std::make_unique<LateWrite>()); }

}  // namespace kvarium
