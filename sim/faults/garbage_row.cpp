#include "sim/faults/fault_model.hpp"
#include "sim/faults/token_rows.hpp"

namespace kvarium {
namespace {

/// The row of one attended token, every KV head of it, is overwritten with random bits, in one layer or in all: a slot
/// written by somebody else. Source: the injectors of sgl-project/sglang#39229 (all buffers) and #39729 (one row).
class GarbageRow final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the row of one attended token is overwritten with random bits", "2", {"layers"}};
  }

  void inject(Injection& injection) const override {
    const LayerRange layers = draw_layers(injection);
    const DrawnToken token = injection.draw_token(layers.first);
    for (std::int64_t layer = layers.first; layer < layers.end; ++layer) {
      overwrite_token(injection, Injection::in_layer(token.block, layer), token.token, "random");
    }
    injection.set_detail(layers.end - layers.first > 1 ? "all layers" : "one layer");
    injection.strike();
  }
};

}  // namespace

void register_garbage_row(Registry<FaultModel>& registry) {
  registry.add("garbage_row", std::make_unique<GarbageRow>());
}

}  // namespace kvarium
