#include "core/random.hpp"

#include <cmath>
#include <numbers>

#include "core/check.hpp"

namespace kvarium {
namespace {

__extension__ using Wide = unsigned __int128;

std::array<std::uint64_t, 4> philox_round(const std::array<std::uint64_t, 4>& counter,
                                          const std::array<std::uint64_t, 2>& key) {
  const Wide first = Wide{0xD2E7470EE14C6C93ULL} * counter[0];
  const Wide second = Wide{0xCA5A826395121157ULL} * counter[2];
  return {static_cast<std::uint64_t>(second >> 64) ^ counter[1] ^ key[0], static_cast<std::uint64_t>(second),
          static_cast<std::uint64_t>(first >> 64) ^ counter[3] ^ key[1], static_cast<std::uint64_t>(first)};
}

}  // namespace

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  std::array<std::uint64_t, 4> state = counter;
  std::array<std::uint64_t, 2> round_key = key;
  for (int round = 0; round < 10; ++round) {
    state = philox_round(state, round_key);
    round_key[0] += 0x9E3779B97F4A7C15ULL;
    round_key[1] += 0xBB67AE8584CAA73BULL;
  }
  return state;
}

CounterRandom::result_type CounterRandom::at(std::uint64_t draw) const {
  const auto words = philox({draw / 4, trial_, purpose_, 0}, {key_.seed, key_.stimulus});
  return words[draw % 4];
}

std::uint64_t CounterRandom::below(std::uint64_t bound) {
  KVARIUM_EXPECT(bound > 0);
  // Multiply-shift with rejection of the uneven part (Lemire, "Fast random integer generation in an
  // interval", ACM TOMACS 2019).
  const std::uint64_t threshold = (0 - bound) % bound;
  while (true) {
    const Wide product = Wide{(*this)()} * bound;
    if (static_cast<std::uint64_t>(product) >= threshold) return static_cast<std::uint64_t>(product >> 64);
  }
}

double CounterRandom::uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

double CounterRandom::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace kvarium
