#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"

namespace kvarium {
namespace {

/// Layers and bytes of a cell that never came.
struct Component {
  std::int64_t first_layer = 0;
  std::int64_t end_layer = 0;
  std::int64_t first_byte = 0;
  std::int64_t end_byte = 0;
};

Component draw_component(Injection& injection, const std::string& name) {
  const std::int64_t layers = std::ssize(injection.target().layers());
  const std::int64_t bytes = cell_bytes(injection.target().geometry());
  if (name == "pipeline_stage") {
    const bool is_first = injection.below(2) == 0;
    return is_first ? Component{0, layers / 2, 0, bytes} : Component{layers / 2, layers, 0, bytes};
  }
  const std::int64_t layer = injection.draw_layer();
  if (name == "key") return {layer, layer + 1, 0, bytes / 2};
  if (name == "value") return {layer, layer + 1, bytes / 2, bytes};
  return {layer, layer + 1, 0, bytes};
}

/// A part of a sequence's cache was never transferred: a layer, half of the layers (a pipeline stage), or K or V of a
/// layer, in every attended block of the sequence. What was there before, or zeros, stand in its place.
/// Source: vllm-ascend#16144 (half the layers), sglang#31108 and #38031 (a side buffer), wtdcode/vllm-backport#33.
class MissingComponent final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"a layer, half of the layers, or K or V of a layer of a sequence was never written",
            "9",
            {"component", "filler"}};
  }

  void inject(Injection& injection) const override {
    const std::string& name = injection.choose(&FaultParameters::component);
    const std::string& filler = injection.choose(&FaultParameters::filler);
    const FaultTarget& target = injection.target();
    if (name == "pipeline_stage" && target.layers().size() < 2) return injection.refuse("there is a single layer");
    const Component component = draw_component(injection, name);
    const auto drawn = static_cast<std::size_t>(injection.below(std::ssize(target.entries())));
    const std::int64_t sequence = target.entries()[drawn].sequence;
    for (std::int64_t layer = component.first_layer; layer < component.end_layer; ++layer) {
      for (std::int64_t block = target.first_attended_block(sequence); block < target.num_blocks(sequence); ++block) {
        leave_out(injection, injection.block_of(layer, target.table_entry({sequence, block})), component, filler);
        if (!injection.is_applicable()) return;
      }
    }
    injection.set_detail(concatenate(name, " over ", filler));
    injection.strike();
  }

 private:
  static void leave_out(Injection& injection, const StruckBlock& block, const Component& component,
                        const std::string& filler) {
    const std::vector<std::uint8_t> cells = filler_cells(injection, block, filler);
    if (cells.empty()) return;
    for_each_cell_byte(injection.target().geometry(), [&](std::size_t index, const CellByte& place) {
      const bool is_part = place.byte >= component.first_byte && place.byte < component.end_byte;
      if (is_part) injection.change(block, place, cells[index]);
    });
  }
};

}  // namespace

void register_missing_component(Registry<FaultModel>& registry) {
  registry.add("missing_component", std::make_unique<MissingComponent>());
}

}  // namespace kvarium
