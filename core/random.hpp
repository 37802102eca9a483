#pragma once

#include <array>
#include <cstdint>

namespace kvarium {

/// Names one stream of random numbers: what is drawn depends on these four values only, never on
/// order or thread. `stimulus` is the hash of the resolved cache, batch, workload and fault.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t stimulus = 0;

  bool operator==(const RandomKey&) const = default;
};

/// Philox4x64-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC'11):
/// four 64-bit words from a 256-bit counter under a 128-bit key. Equal to NumPy's Philox bit for bit.
std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key);

/// Counter-based generator of one trial: word `draw` is a function of (seed, stimulus, trial, purpose, draw).
/// Usable with the distributions below; cheap to copy; satisfies UniformRandomBitGenerator.
class CounterRandom {
 public:
  using result_type = std::uint64_t;

  /// `purpose` separates independent uses inside one trial (contents, fault, sampling).
  CounterRandom(RandomKey key, std::uint64_t trial, std::uint64_t purpose = 0)
      : key_(key), trial_(trial), purpose_(purpose) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  /// The next draw.
  result_type operator()() { return at(draw_++); }

  /// Draw number `draw`, whatever was drawn before.
  result_type at(std::uint64_t draw) const;

  /// Uniform integer in [0, bound) without modulo bias. Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound);

  /// Uniform in [0, 1) with 53 random bits.
  double uniform();

  /// Standard normal (Box-Muller: two draws, one value), the same for the same mathematics library and compiler.
  double normal();

 private:
  RandomKey key_;
  std::uint64_t trial_;
  std::uint64_t purpose_;
  std::uint64_t draw_ = 0;
};

}  // namespace kvarium
