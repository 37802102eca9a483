#include <algorithm>
#include <array>
#include <span>

#include "sim/faults/fault_model.hpp"
#include "sim/faults/memory_words.hpp"

namespace kvarium {
namespace {

/// Consecutive bytes of a block's memory are xor-ed with a random mask: a byte, a beat (8 bytes), an access (32), a
/// line (64) and more. The mask is never empty; with `mask_bits` it has that many bits.
/// Source: Sullivan et al., "Characterizing and mitigating soft errors in GPU DRAM", MICRO 2021 (byte, beat, entry).
class Burst final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"consecutive bytes are xor-ed with a random mask", "1c", {"burst_bytes", "mask_bits"}};
  }

  void inject(Injection& injection) const override {
    const std::int64_t bytes = injection.parameters().burst_bytes;
    const std::int64_t bits = injection.parameters().mask_bits;
    const BlockMemory& memory = injection.target().block_memory();
    if (bytes > memory.size()) return injection.refuse("the burst is longer than a block");
    if (bits > 8 * bytes) return injection.refuse("the burst has fewer bits than its mask");
    const DrawnPlace drawn = draw_place(injection);
    const std::int64_t start = run_around(memory, drawn.place, bytes, bytes);
    std::array<std::uint8_t, 4096> mask{};
    const std::span<std::uint8_t> used(mask.data(), static_cast<std::size_t>(bytes));
    draw_mask(injection, used, bits);
    for (std::int64_t i = 0; i < bytes; ++i) {
      const CellByte byte = memory.cell_at(start + i);
      injection.change(drawn.block, byte, injection.present(drawn.block, byte) ^ used[static_cast<std::size_t>(i)]);
    }
    injection.strike();
  }

 private:
  static void draw_mask(Injection& injection, std::span<std::uint8_t> mask, std::int64_t bits) {
    if (bits > 0) {
      for (std::int64_t set = 0; set < bits;) {
        const auto bit = static_cast<std::size_t>(injection.below(8 * std::ssize(mask)));
        const auto one = static_cast<std::uint8_t>(1U << (bit % 8));
        if ((mask[bit / 8] & one) == 0) ++set;
        mask[bit / 8] |= one;
      }
      return;
    }
    const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
    while (std::ranges::all_of(mask, is_zero)) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < mask.size(); ++i) {
        if (i % 8 == 0) word = injection.random()();
        mask[i] = static_cast<std::uint8_t>(word >> (8 * (i % 8)));
      }
    }
  }
};

}  // namespace

void register_burst(Registry<FaultModel>& registry) { registry.add("burst", std::make_unique<Burst>()); }

}  // namespace kvarium
