#include "experiments/plan/even_walk.hpp"

#include <functional>
#include <numeric>

#include "core/check.hpp"

namespace kvarium {
namespace {

enum Purpose : std::uint64_t { order_of_diagonals = 0, starts = 1, first_axis = 2 };

/// Starts in each axis that lie on different diagonals of the axes up to it.
std::vector<std::uint64_t> count_starts(const std::vector<std::size_t>& lengths) {
  std::vector<std::uint64_t> counts;
  std::uint64_t period = 1;
  for (const std::size_t length : lengths) {
    counts.push_back(std::gcd(period, std::uint64_t{length}));
    period = std::lcm(period, std::uint64_t{length});
  }
  return counts;
}

std::uint64_t product(const std::vector<std::uint64_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies<>());
}

std::vector<std::size_t> shuffle(std::size_t length, CounterRandom random) {
  DistinctDraws draws(length, random);
  std::vector<std::size_t> order(length);
  for (std::size_t& value : order) value = draws.next();
  return order;
}

}  // namespace

EvenWalk::EvenWalk(const std::vector<std::size_t>& lengths, RandomKey key)
    : num_starts_(count_starts(lengths)),
      diagonals_(product(num_starts_), CounterRandom(key, 0, order_of_diagonals)),
      random_(key, 0, starts) {
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    shuffled_.push_back(shuffle(lengths[axis], CounterRandom(key, 0, first_axis + axis)));
    diagonal_length_ = std::lcm(diagonal_length_, std::uint64_t{lengths[axis]});
  }
}

void EvenWalk::begin_diagonal() {
  std::uint64_t rest = diagonals_.next();
  const std::uint64_t shift = random_.below(diagonal_length_);
  positions_.clear();
  for (std::size_t axis = 0; axis < shuffled_.size(); ++axis) {
    positions_.push_back((rest % num_starts_[axis] + shift) % shuffled_[axis].size());
    rest /= num_starts_[axis];
  }
  steps_left_ = diagonal_length_;
}

std::vector<std::size_t> EvenWalk::next() {
  KVARIUM_EXPECT(remaining() > 0);
  if (steps_left_ == 0) begin_diagonal();
  std::vector<std::size_t> values;
  for (std::size_t axis = 0; axis < shuffled_.size(); ++axis) {
    values.push_back(shuffled_[axis][positions_[axis]]);
    positions_[axis] = (positions_[axis] + 1) % shuffled_[axis].size();
  }
  --steps_left_;
  return values;
}

}  // namespace kvarium
