#include <algorithm>

#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"
#include "sim/faults/memory_words.hpp"

namespace kvarium {
namespace {

/// Some 64-byte lines of a block are not visible yet: they hold what the block held for an earlier request. At S3 the
/// consumer's sum saw the new lines and attention sees the old ones, as when a zero-fill or a write in flight ends
/// between the two; at S2 both see the old ones. Each line is old with probability `fraction`, the drawn one always.
/// Source: vllm#45357, #44238; meta-pytorch/monarch#3391 (order of GPUDirect writes).
class VisibilityRace final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"some 64-byte lines of a block still hold what they held for an earlier request", "6", {"fraction"}};
  }

  void inject(Injection& injection) const override {
    constexpr std::int64_t line_bytes = 64;
    const DrawnPlace drawn = draw_place(injection);
    const std::vector<std::uint8_t> earlier = earlier_cells(injection, drawn.block);
    if (earlier.empty()) return;
    const BlockMemory& memory = injection.target().block_memory();
    for (std::int64_t line = 0; line < memory.size(); line += line_bytes) {
      const bool is_old = injection.random().uniform() < injection.parameters().fraction;
      if (!is_old && line != drawn.place / line_bytes * line_bytes) continue;
      for (std::int64_t place = line; place < std::min(line + line_bytes, memory.size()); ++place) {
        copy_place(injection, drawn.block, place, earlier);
      }
    }
    injection.strike();
  }
};

}  // namespace

void register_visibility_race(Registry<FaultModel>& registry) {
  registry.add("visibility_race", std::make_unique<VisibilityRace>());
}

}  // namespace kvarium
