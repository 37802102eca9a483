#include <algorithm>

#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// The prefix of one request is looked up under a key that another request's has too: its first blocks are that one's,
/// contents and checksum records together. Source: vllm#44701 (name and salt share a hash domain), #54727 (crafted
/// collisions), sglang#24758 (keys without the model's revision).
class PrefixCollision final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the first blocks of a sequence are another sequence's, with their records", "18", {}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    if (target.num_sequences() < 2) return injection.refuse("there is a single sequence");
    const std::vector<LogicalBlock>& entries = target.entries();
    const LogicalBlock drawn = entries[static_cast<std::size_t>(injection.below(std::ssize(entries)))];
    const std::int64_t skip = injection.below(target.num_sequences() - 1);
    const std::int64_t other = skip < drawn.sequence ? skip : skip + 1;
    const std::int64_t first =
        std::max(target.first_attended_block(drawn.sequence), target.first_attended_block(other));
    const std::int64_t whole = target.length(other) / target.geometry().block_size;
    const std::int64_t end = std::min(whole, target.num_blocks(drawn.sequence));
    if (end <= first) return injection.refuse("the other sequence has no whole block to share");
    const std::int64_t last = first + injection.below(end - first);
    for (std::int64_t block = first; block <= last; ++block) {
      injection.change_entry({drawn.sequence, block}, target.table_entry({other, block}), true);
    }
    injection.set_detail(concatenate("sequence ", other, " to block ", last));
    injection.strike();
  }
};

}  // namespace

void register_prefix_collision(Registry<FaultModel>& registry) {
  registry.add("prefix_collision", std::make_unique<PrefixCollision>());
}

}  // namespace kvarium
