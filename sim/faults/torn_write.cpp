#include "sim/faults/fault_model.hpp"
#include "sim/faults/filler.hpp"

namespace kvarium {
namespace {

/// Units of a block's memory that arrived: [first, end), or every second one.
struct ArrivedUnits {
  std::int64_t first = 0;
  std::int64_t end = 0;
  bool alternates = false;

  bool contains(std::int64_t unit) const { return alternates ? (unit - first) % 2 == 0 : unit >= first && unit < end; }
};

ArrivedUnits draw_arrived(Injection& injection, const std::string& kept, std::int64_t units) {
  if (kept == "alternate") return {injection.below(2), units, true};
  const std::int64_t cut = 1 + injection.below(units - 1);
  return kept == "prefix" ? ArrivedUnits{0, cut} : ArrivedUnits{cut, units};
}

/// A write into a block of one layer arrives in part: a prefix, a suffix, or every second unit (a cache line, a page, a
/// transfer's descriptor). The rest holds what was there before, or zeros.
/// Source: vllm#45704 (DMA reads half-written blocks), LMCache#4991, nv_peer_memory#31 (a trailing word is missing).
class TornWrite final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"part of a block of one layer was not written", "7", {"kept", "granularity_bytes", "filler"}};
  }

  void inject(Injection& injection) const override {
    const std::int64_t unit = injection.parameters().granularity_bytes;
    const std::int64_t size = injection.target().block_memory().size();
    const std::int64_t units = (size + unit - 1) / unit;
    if (units < 2) return injection.refuse("the block is a single unit");
    const std::string& kept = injection.choose(&FaultParameters::kept);
    const std::string& filler = injection.choose(&FaultParameters::filler);
    const StruckBlock block = injection.draw_block();
    const ArrivedUnits arrived = draw_arrived(injection, kept, units);
    const std::vector<std::uint8_t> rest = filler_cells(injection, block, filler);
    if (rest.empty()) return;
    for (std::int64_t place = 0; place < size; ++place) {
      if (!arrived.contains(place / unit)) copy_place(injection, block, place, rest);
    }
    injection.set_detail(concatenate(kept, " over ", filler));
    injection.strike();
  }
};

}  // namespace

void register_torn_write(Registry<FaultModel>& registry) { registry.add("torn_write", std::make_unique<TornWrite>()); }

}  // namespace kvarium
