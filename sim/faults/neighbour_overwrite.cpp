#include <algorithm>

#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"

namespace kvarium {
namespace {

/// A copy into the physical block before an attended one goes on past its end: the first bytes of the victim's memory
/// hold what follows in the source, the beginning of an attended block. Whose block was copied does not matter.
/// Source: TensorRT-LLM#4943 (twice the bytes), local-inference-lab/vllm#704, tt-metal#52671.
class NeighbourOverwrite final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"a copy into a block overwrites the beginning of the next one", "12", {"overrun_bytes"}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    const StruckBlock victim = injection.draw_block();
    if (victim.span.physical_block == 0) return injection.refuse("no block comes before the first one");
    const std::vector<AttendedSpan>& spans = target.spans();
    const auto source = static_cast<std::size_t>(injection.below(std::ssize(spans)));
    const PagedCacheView& cache = injection.cache(victim.layer);
    const std::vector<std::uint8_t> cells = read_block_cells(cache, spans[source].physical_block);
    const std::int64_t bytes = std::min(injection.parameters().overrun_bytes, target.block_memory().size());
    for (std::int64_t place = 0; place < bytes; ++place) copy_place(injection, victim, place, cells);
    injection.strike();
  }
};

}  // namespace

void register_neighbour_overwrite(Registry<FaultModel>& registry) {
  registry.add("neighbour_overwrite", std::make_unique<NeighbourOverwrite>());
}

}  // namespace kvarium
