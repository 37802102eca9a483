#include <algorithm>

#include "sim/faults/fault_model.hpp"
#include "sim/faults/token_rows.hpp"

namespace kvarium {
namespace {

/// The tail of a partly filled block, the tokens that no sequence stores, holds random bits, NaN or infinities in every
/// layer. No attended byte changes: attention must give the same bits, and a checksum that reports it raises a false
/// alarm. Source: vllm#57156, sglang#35351, flashinfer#941 (NaN in tails that leaks as 0 * NaN).
class BlockTailGarbage final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"tokens of a block past the last stored one hold garbage", "16", {"garbage"}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    const std::string& garbage = injection.choose(&FaultParameters::garbage);
    const std::vector<AttendedSpan>& spans = target.spans();
    const std::int64_t size = target.geometry().block_size;
    const auto has_tail = [&](const AttendedSpan& span) {
      return target.num_stored_tokens(span.physical_block) < size;
    };
    const std::int64_t tails = std::ranges::count_if(spans, has_tail);
    if (tails == 0) return injection.refuse("every block is full");
    std::int64_t left = injection.below(tails);
    const auto chosen =
        std::ranges::find_if(spans, [&](const AttendedSpan& span) { return has_tail(span) && left-- == 0; });
    for (std::int64_t layer = 0; layer < std::ssize(target.layers()); ++layer) {
      for (std::int64_t token = target.num_stored_tokens(chosen->physical_block); token < size; ++token) {
        if (!overwrite_token(injection, {layer, *chosen}, token, garbage)) {
          return injection.refuse(concatenate(to_string(target.geometry().element_type), " has no ", garbage));
        }
      }
    }
    injection.set_detail(garbage);
    injection.strike(Reach::anything);
  }
};

}  // namespace

void register_block_tail_garbage(Registry<FaultModel>& registry) {
  registry.add("block_tail_garbage", std::make_unique<BlockTailGarbage>());
}

}  // namespace kvarium
