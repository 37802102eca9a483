#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// From a drawn position on, each position of a sequence gets the block of the next one: the first is dropped, and the
/// last position names a block that was not written for it (the dropped one). Source: vllm#44151 (a lookahead block
/// shifts the mapping by one), TensorRT-LLM#15727, vllm#28677.
class BlockShift final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"positions of a sequence hold the block of the next position", "10", {}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    const auto drawn = static_cast<std::size_t>(injection.below(std::ssize(target.entries())));
    const std::int64_t sequence = target.entries()[drawn].sequence;
    const std::int64_t first = target.first_attended_block(sequence);
    const std::int64_t last = target.num_blocks(sequence) - 1;
    if (first == last) return injection.refuse("the sequence attends a single block");
    const std::int64_t start = first + injection.below(last - first);
    for (std::int64_t block = start; block < last; ++block) {
      injection.change_entry({sequence, block}, target.table_entry({sequence, block + 1}));
    }
    injection.change_entry({sequence, last}, target.table_entry({sequence, start}));
    injection.set_detail(concatenate("from block ", start));
    injection.strike();
  }
};

}  // namespace

void register_block_shift(Registry<FaultModel>& registry) {
  registry.add("block_shift", std::make_unique<BlockShift>());
}

}  // namespace kvarium
