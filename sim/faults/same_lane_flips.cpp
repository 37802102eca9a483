#include <algorithm>

#include "sim/faults/fault_model.hpp"
#include "sim/faults/memory_words.hpp"

namespace kvarium {
namespace {

std::uint8_t lane_mask(std::int64_t lane) { return static_cast<std::uint8_t>(1U << (lane % 8)); }

/// One bit lane of several words of a block is driven: a failing pin spoils the same lane of the beats that carry
/// consecutive words. The words follow one another in memory, or lie scattered over the attended words of the block.
/// Source: Sullivan et al., "Characterizing and mitigating soft errors in GPU DRAM", MICRO 2021 (pin errors); HBM3
/// moves 32 bits a beat, eight beats an access.
class SameLaneFlips final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"one bit lane of several words of a block is inverted or stuck",
            "1b",
            {"lane", "flips", "word_bytes", "placement", "drive"}};
  }

  void inject(Injection& injection) const override {
    const FaultParameters& wanted = injection.parameters();
    const std::int64_t word = wanted.word_bytes;
    const BlockMemory& memory = injection.target().block_memory();
    if (wanted.flips * word > memory.size()) return injection.refuse("the block has fewer words than flips");
    if (wanted.lane >= 8 * word) return injection.refuse("words have no such lane");
    const std::string& drive = injection.choose(&FaultParameters::drive);
    const std::int64_t lane = wanted.lane >= 0 ? wanted.lane : injection.below(8 * word);
    const DrawnPlace first = draw_place(injection);
    if (wanted.placement == "scattered") {
      scatter(injection, first, {word, lane}, drive);
    } else {
      const std::int64_t start = run_around(memory, first.place, wanted.flips * word, word);
      for (std::int64_t i = 0; i < wanted.flips; ++i) {
        drive_bits(injection, first.block, start + i * word + lane / 8, lane_mask(lane), drive);
      }
    }
    injection.set_detail(drive);
    injection.strike();
  }

 private:
  struct WordLane {
    std::int64_t word_bytes = 8;
    std::int64_t lane = 0;
  };

  /// Distinct attended words of the first one's block, as many as asked for.
  static void scatter(Injection& injection, const DrawnPlace& first, const WordLane& lane, const std::string& drive) {
    constexpr std::int64_t most_flips = 64;
    const CacheGeometry& geometry = injection.target().geometry();
    const BlockMemory& memory = injection.target().block_memory();
    const AttendedSpan& span = first.block.span;
    const std::int64_t flips = injection.parameters().flips;
    const std::int64_t words = span.num_tokens() * geometry.num_kv_heads * cell_bytes(geometry) / lane.word_bytes;
    if (flips > words) return injection.refuse("the block has fewer attended words than flips");
    std::int64_t struck[most_flips];
    std::int64_t count = 0;
    for (std::int64_t place = first.place; count < flips;) {
      const std::int64_t start = place / lane.word_bytes * lane.word_bytes;
      if (std::find(struck, struck + count, start) == struck + count) {
        struck[count++] = start;
        drive_bits(injection, first.block, start + lane.lane / 8, lane_mask(lane.lane), drive);
      }
      const CellByte next{injection.below(geometry.num_kv_heads), span.first_token + injection.below(span.num_tokens()),
                          injection.below(cell_bytes(geometry))};
      place = memory.place_of(next);
    }
  }
};

}  // namespace

void register_same_lane_flips(Registry<FaultModel>& registry) {
  registry.add("same_lane_flips", std::make_unique<SameLaneFlips>());
}

}  // namespace kvarium
