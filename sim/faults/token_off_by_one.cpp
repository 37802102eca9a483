#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"
#include "sim/faults/token_rows.hpp"

namespace kvarium {
namespace {

/// The count of a sequence's tokens is one off: its last slot was never written (in any layer), or the reader believes
/// in one token more or one fewer than were written. Source: vllm#54288 (the slot of the last sampled token),
/// pegainfer#350, sglang#22819.
class TokenOffByOne final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the last slot of a sequence was not written, or its reader counts one token more or fewer",
            "11",
            {"off_by_one"}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    const std::string& kind = injection.choose(&FaultParameters::off_by_one);
    const auto drawn = static_cast<std::size_t>(injection.below(std::ssize(target.entries())));
    const std::int64_t sequence = target.entries()[drawn].sequence;
    if (kind == "unwritten_slot") {
      leave_last_slot(injection, sequence);
    } else {
      miscount(injection, sequence, kind == "one_more" ? 1 : -1);
    }
    injection.set_detail(kind);
    injection.strike();
  }

 private:
  static void leave_last_slot(Injection& injection, std::int64_t sequence) {
    const FaultTarget& target = injection.target();
    const std::int64_t last = target.length(sequence) - 1;
    const std::int64_t size = target.geometry().block_size;
    for (std::int64_t layer = 0; layer < std::ssize(target.layers()); ++layer) {
      const StruckBlock block = injection.block_of(layer, target.table_entry({sequence, last / size}));
      const std::vector<std::uint8_t> earlier = earlier_cells(injection, block);
      if (earlier.empty()) return;
      copy_token(injection, block, last % size, earlier);
    }
  }

  static void miscount(Injection& injection, std::int64_t sequence, std::int64_t difference) {
    const FaultTarget& target = injection.target();
    const std::int64_t length = target.length(sequence);
    if (!target.has_read_lengths()) return injection.refuse("no reader's lengths are known");
    if (difference > 0 && length % target.geometry().block_size == 0) {
      return injection.refuse("the sequence's last block is full");
    }
    injection.change_reading(ReadQuantity::sequence_length, sequence, static_cast<double>(length + difference));
  }
};

}  // namespace

void register_token_off_by_one(Registry<FaultModel>& registry) {
  registry.add("token_off_by_one", std::make_unique<TokenOffByOne>());
}

}  // namespace kvarium
