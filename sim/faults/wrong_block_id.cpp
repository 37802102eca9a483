#include <string_view>

#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// What a block table entry is wrongly said to be, or why that is no fault.
struct WrongId {
  std::int64_t block = 0;
  std::string_view refusal = {};
};

WrongId other_live_block(Injection& injection, std::int64_t present) {
  const std::vector<AttendedSpan>& spans = injection.target().spans();
  // Spans of one block lie side by side and rarely number more than one.
  if (spans.front().physical_block == spans.back().physical_block) return {0, "no second block is attended"};
  while (true) {
    const AttendedSpan& span = spans[static_cast<std::size_t>(injection.below(std::ssize(spans)))];
    if (span.physical_block != present) return {span.physical_block};
  }
}

WrongId wrong_id(Injection& injection, const LogicalBlock& entry, const std::string& kind) {
  const FaultTarget& target = injection.target();
  const std::int64_t present = target.table_entry(entry);
  const std::int64_t last = target.geometry().num_blocks - 1;
  if (kind == "other_live") return other_live_block(injection, present);
  if (kind == "last") return {last, present == last ? "the entry names the last block already" : ""};
  if (kind == "next") return {present + 1, present == last ? "no block follows the last one" : ""};
  if (entry.logical_block == 0) return {0, "no block comes before the first one"};
  const std::int64_t follower = target.table_entry({entry.sequence, entry.logical_block - 1}) + 1;
  if (follower > last) return {0, "no block follows the last one"};
  return {follower, follower == present ? "the blocks are consecutive" : ""};
}

/// One entry of the block table names another block: one that is live, the next one, the one that would follow if a
/// request's blocks were consecutive, or the last one (an id of -1 taken for an index). Uniform over attended entries.
/// Source: vllm#43869 (-1), DingoCache#231 (consecutive), sglang#31471 (another id space).
class WrongBlockId final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"one entry of the block table names another block", "4", {"wrong_id"}};
  }

  void inject(Injection& injection) const override {
    const std::vector<LogicalBlock>& entries = injection.target().entries();
    const std::string& kind = injection.choose(&FaultParameters::wrong_id);
    const LogicalBlock entry = entries[static_cast<std::size_t>(injection.below(std::ssize(entries)))];
    const WrongId wrong = wrong_id(injection, entry, kind);
    if (!wrong.refusal.empty()) return injection.refuse(wrong.refusal);
    injection.change_entry(entry, wrong.block);
    injection.set_detail(kind);
    injection.strike();
  }
};

}  // namespace

void register_wrong_block_id(Registry<FaultModel>& registry) {
  registry.add("wrong_block_id", std::make_unique<WrongBlockId>());
}

}  // namespace kvarium
