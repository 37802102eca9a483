#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "kernels/checksums/cuda/mixed_keys.cuh"

// Confirms by trials what docs/mixed_sum.md proves for independent keys, with the keys as they are derived: the same
// code at 64-bit sums over 32-bit pieces, which must miss nothing, and at 16-bit sums over 8-bit pieces and 32-bit sums
// over 16-bit pieces, whose misses can be counted.

namespace kvarium {
namespace {

constexpr std::uint64_t num_seeds = 1024;
constexpr std::uint64_t pieces_per_cell = 128;

/// A size of sums and pieces.
struct SumSize {
  int sum_bits, piece_bits;

  std::uint64_t piece_mask() const { return (std::uint64_t{1} << piece_bits) - 1; }
  bool is_missed(std::uint64_t difference) const { return difference << (64 - sum_bits) == 0; }
};

/// Draws words one after another.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t trial) : state_(splitmix(seed * mixed_step + trial)) {}
  std::uint64_t operator()() { return splitmix(state_ += mixed_step); }

 private:
  std::uint64_t state_;
};

/// A cell of 4 layers of 8 heads, at any of 2^17 positions.
struct CellPlace {
  std::uint64_t head, position;

  explicit CellPlace(std::uint64_t bits) : head((bits >> 3 & 3) * 65536 + (bits & 7)), position(bits >> 5 & 0x1FFFF) {}
  bool operator==(const CellPlace&) const = default;
  MixedCellKey key(std::uint64_t seed_key) const { return mixed_cell_key(mixed_head_key(seed_key, head), position); }
};

/// What a fault of some class changes in the sum.
using Fault = std::uint64_t (*)(std::uint64_t seed_key, const SumSize& size, Draws& draw);

/// A piece whose bit `lane` is set or not flips it.
std::uint64_t flipped(std::uint64_t key, int lane, bool is_set) {
  const std::uint64_t change = std::uint64_t{1} << lane;
  return key * (is_set ? 0 - change : change);
}

std::uint64_t flip_pair(std::uint64_t seed_key, int lane, Draws& draw) {
  const CellPlace first(draw()), second(draw());
  const std::uint64_t bits = draw();
  const auto left = static_cast<unsigned int>(bits % pieces_per_cell);
  auto right = static_cast<unsigned int>((bits >> 8) % pieces_per_cell);
  const bool is_near = (bits >> 32 & 1) != 0;
  if (left == right && (is_near || first == second)) right = (right + 1) % pieces_per_cell;
  const MixedCellKey left_key = first.key(seed_key), right_key = is_near ? left_key : second.key(seed_key);
  return flipped(left_key.piece_key(left), lane, (bits >> 33 & 1) != 0) +
         flipped(right_key.piece_key(right), lane, (bits >> 34 & 1) != 0);
}

std::uint64_t same_lane_pair(std::uint64_t seed_key, const SumSize& size, Draws& draw) {
  const auto lane = static_cast<int>(draw() % static_cast<std::uint64_t>(size.piece_bits));
  return flip_pair(seed_key, lane, draw);
}

std::uint64_t top_bit_pair(std::uint64_t seed_key, const SumSize& size, Draws& draw) {
  return flip_pair(seed_key, size.piece_bits - 1, draw);
}

/// Four equally spaced pieces of one cell change by +d, -d, -d, +d.
std::uint64_t second_difference(std::uint64_t seed_key, const SumSize& size, Draws& draw) {
  const MixedCellKey key = CellPlace(draw()).key(seed_key);
  const std::uint64_t bits = draw();
  const std::uint64_t change = std::uint64_t{1} << bits % static_cast<std::uint64_t>(size.piece_bits);
  const auto spacing = static_cast<unsigned int>(1 + (bits >> 8) % 8),
             first = static_cast<unsigned int>(bits >> 16) % 64;
  const auto piece = [&](unsigned int index) { return key.piece_key(first + index * spacing); };
  return change * (piece(0) - piece(1) - piece(2) + piece(3));
}

/// Two cells, of two tokens, heads or layers, change places.
std::uint64_t exchange(std::uint64_t seed_key, const SumSize& size, Draws& draw) {
  const std::uint64_t here = draw();
  constexpr std::array<std::uint64_t, 4> moves{1 << 5, 7 << 5, 1, 1 << 3};  // token, farther token, head, layer
  const MixedCellKey left = CellPlace(here).key(seed_key),
                     right = CellPlace(here ^ moves[draw() % moves.size()]).key(seed_key);
  std::uint64_t difference = 0;
  for (unsigned int piece = 0; piece < 16; ++piece) {
    const std::uint64_t values = draw();
    const std::uint64_t change = (values & size.piece_mask()) - (values >> 32 & size.piece_mask());
    difference += (right.piece_key(piece) - left.piece_key(piece)) * change;
  }
  return difference;
}

/// Random bits of some random pieces of two cells flip.
std::uint64_t random_mask(std::uint64_t seed_key, const SumSize& size, Draws& draw) {
  const std::uint64_t count = 2 + draw() % 7;
  const MixedCellKey keys[2] = {CellPlace(draw()).key(seed_key), CellPlace(draw()).key(seed_key)};
  std::uint64_t difference = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t values = draw(), place = draw();
    const std::uint64_t before = values & size.piece_mask(), mask = values >> 32 & size.piece_mask();
    // 16 pieces further for each change, so that no piece changes twice.
    const auto piece = static_cast<unsigned int>(16 * i + (place >> 8) % 16);
    difference += keys[place & 1].piece_key(piece) * ((before ^ (mask == 0 ? 1 : mask)) - before);
  }
  return difference;
}

std::uint64_t count_misses(Fault fault, const SumSize& size, std::uint64_t trials) {
  std::uint64_t misses = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const std::uint64_t seed = splitmix(trial % num_seeds + 1);
    Draws draw(seed, trial / num_seeds);
    misses += size.is_missed(fault(mixed_seed_key(seed), size, draw)) ? 1 : 0;
  }
  return misses;
}

/// Wilson's interval at 99 %.
struct Interval {
  double low, high;

  Interval(double misses, double trials) {
    constexpr double z = 2.5758293;
    const double rate = misses / trials, scale = 1 + z * z / trials;
    const double middle = (rate + z * z / (2 * trials)) / scale;
    const double half = z * std::sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / scale;
    low = middle - half, high = middle + half;
  }
};

bool confirm_no_miss(std::uint64_t trials) {
  const std::array<std::pair<const char*, Fault>, 4> classes{{{"same-lane pairs", same_lane_pair},
                                                              {"second differences", second_difference},
                                                              {"exchanged cells", exchange},
                                                              {"random masks", random_mask}}};
  std::cout << "64-bit sums over 32-bit pieces, " << num_seeds << " seeds\n";
  bool is_right = true;
  for (const auto& [name, fault] : classes) {
    const std::uint64_t misses = count_misses(fault, {64, 32}, trials / classes.size());
    std::cout << "  " << std::setw(20) << std::left << name << trials / classes.size() << " trials, " << misses
              << " missed\n";
    is_right = is_right && misses == 0;
  }
  return is_right;
}

bool confirm_rate(const SumSize& size, std::uint64_t trials) {
  const std::uint64_t misses = count_misses(top_bit_pair, size, trials);
  const Interval interval(static_cast<double>(misses), static_cast<double>(trials));
  const double bound = std::ldexp(1.0, -size.piece_bits);
  const bool is_covered = interval.low <= bound && bound <= interval.high;
  std::cout << size.sum_bits << "-bit sums over " << size.piece_bits << "-bit pieces, top-bit flips of two pieces\n  "
            << trials << " trials, " << misses << " missed: 99 % interval " << interval.low << " to " << interval.high
            << (is_covered ? " covers " : " DOES NOT COVER ") << "2^-" << size.piece_bits << " = " << bound << '\n';
  return is_covered;
}

}  // namespace
}  // namespace kvarium

/// mixed_sum [TRIALS]: 10^8 unless said otherwise. Exit 1 where a trial contradicts the note.
int main(int argc, char** argv) {
  const std::uint64_t trials = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000000;
  if (trials < 4000) {
    std::cerr << "'" << argv[1] << "' is no number of trials; use 4000 or more\n";
    return 2;
  }
  bool is_right = kvarium::confirm_no_miss(trials);
  is_right = kvarium::confirm_rate({16, 8}, trials / 10) && is_right;
  is_right = kvarium::confirm_rate({32, 16}, trials) && is_right;
  return is_right ? 0 : 1;
}
