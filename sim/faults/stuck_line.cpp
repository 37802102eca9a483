#include <algorithm>

#include "sim/faults/fault_model.hpp"
#include "sim/faults/memory_words.hpp"

namespace kvarium {
namespace {

/// One bit, or a whole byte, is driven at a fixed stride over a stretch of a block's memory: a row or column of a
/// memory array that fails, seen through the interleaving of addresses. Stride 1 strikes that bit of every byte. The
/// stretch is cut at the block's end. It persists: a record made again after a write finds the same bits stuck. Source:
/// Schroeder et al. 2009 and the ORNL field data (rows and columns are 22.5 % of DRAM faults).
class StuckLine final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"a bit or byte is stuck or inverted at a fixed stride over a stretch of a block",
            "1d",
            {"lane", "drive", "stride_bytes", "extent_bytes", "forced"}};
  }

  void inject(Injection& injection) const override {
    const FaultParameters& wanted = injection.parameters();
    const BlockMemory& memory = injection.target().block_memory();
    if (wanted.lane >= 8) return injection.refuse("a byte has no such lane");
    const std::string& drive = injection.choose(&FaultParameters::drive);
    const std::int64_t lane = wanted.lane >= 0 ? wanted.lane : injection.below(8);
    const auto mask = static_cast<std::uint8_t>(wanted.forced == "byte" ? 0xFFU : 1U << lane);
    const std::int64_t extent = std::min(wanted.extent_bytes, memory.size());
    const DrawnPlace drawn = draw_place(injection);
    const std::int64_t start = run_around(memory, drawn.place, extent, extent);
    for (std::int64_t place = start + drawn.place % std::min(wanted.stride_bytes, extent); place < start + extent;
         place += wanted.stride_bytes) {
      drive_bits(injection, drawn.block, place, mask, drive);
    }
    injection.set_detail(drive);
    injection.strike();
  }
};

}  // namespace

void register_stuck_line(Registry<FaultModel>& registry) { registry.add("stuck_line", std::make_unique<StuckLine>()); }

}  // namespace kvarium
