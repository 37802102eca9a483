#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"

namespace kvarium {
namespace {

/// A block of one layer is zeroed after it was written, or two writers share it: the second half of its memory is that
/// of another attended block. Source: vllm#45357 and ray-serve-llm-perf-examples (zeros), TensorRT-LLM#9056 (two blocks
/// offloaded into one).
class SpoiledBlock final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"a block of one layer is zeroed, or half overwritten by another block", "8", {"overwrite"}};
  }

  void inject(Injection& injection) const override {
    const std::string& overwrite = injection.choose(&FaultParameters::overwrite);
    const StruckBlock block = injection.draw_block();
    if (overwrite == "zeros") {
      injection.replace(block, filler_cells(injection, block, "zero"));
    } else {
      mix_in_other_block(injection, block);
    }
    injection.set_detail(overwrite);
    injection.strike();
  }

 private:
  static void mix_in_other_block(Injection& injection, const StruckBlock& block) {
    const std::vector<AttendedSpan>& spans = injection.target().spans();
    if (spans.front().physical_block == spans.back().physical_block) {
      return injection.refuse("no second block is attended");
    }
    std::int64_t other = block.span.physical_block;
    while (other == block.span.physical_block) {
      other = spans[static_cast<std::size_t>(injection.below(std::ssize(spans)))].physical_block;
    }
    const std::vector<std::uint8_t> cells = read_block_cells(injection.cache(block.layer), other);
    const std::int64_t size = injection.target().block_memory().size();
    for (std::int64_t place = size / 2; place < size; ++place) copy_place(injection, block, place, cells);
  }
};

}  // namespace

void register_spoiled_block(Registry<FaultModel>& registry) {
  registry.add("spoiled_block", std::make_unique<SpoiledBlock>());
}

}  // namespace kvarium
