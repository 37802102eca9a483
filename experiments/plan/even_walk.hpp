#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "experiments/plan/distinct_draws.hpp"

namespace kvarium {

/// A random walk through all combinations of axes that meets none twice and, wherever it is stopped, has met the values
/// of each axis equally often, to one: a Latin hypercube of any number of points over axes of any lengths.
///
/// One step adds 1 to the position in every axis, modulo its length. Such a diagonal comes back to its start after as
/// many steps as the least common multiple of the lengths, having met every value of every axis equally often; any
/// stretch of it does so to one. The diagonals part the product, are walked in random order, each from a random
/// start, and the values of every axis are shuffled.
class EvenWalk {
 public:
  /// Preconditions: each length is positive; their product is at most 2^62.
  EvenWalk(const std::vector<std::size_t>& lengths, RandomKey key);

  /// Combinations not met yet.
  std::uint64_t remaining() const { return diagonals_.remaining() * diagonal_length_ + steps_left_; }

  /// Position in each axis. Precondition: remaining() > 0.
  std::vector<std::size_t> next();

 private:
  void begin_diagonal();

  std::vector<std::vector<std::size_t>> shuffled_;  ///< [num_axes][length]
  std::vector<std::uint64_t> num_starts_;           ///< starts in each axis that lie on different diagonals
  std::uint64_t diagonal_length_ = 1;
  DistinctDraws diagonals_;
  CounterRandom random_;
  std::vector<std::size_t> positions_;
  std::uint64_t steps_left_ = 0;
};

}  // namespace kvarium
