#include "experiments/plan/even_walk.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <set>

#include "experiments/plan/distinct_draws.hpp"

using namespace kvarium;

namespace {

using Lengths = std::vector<std::size_t>;

/// How far the numbers of times lie apart that values of one axis have been met.
std::size_t spread(const std::vector<std::size_t>& counts) {
  const auto [least, most] = std::ranges::minmax(counts);
  return most - least;
}

}  // namespace

TEST_CASE("an even walk meets every combination once, and values equally often wherever it stops",
          "[experiments][plan]") {
  const Lengths lengths = GENERATE(Lengths{5}, Lengths{2, 3}, Lengths{4, 4}, Lengths{6, 4, 9}, Lengths{2, 2, 2, 2},
                                   Lengths{1, 7, 3}, Lengths{10, 15, 6});
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(0, 3)));
  CAPTURE(lengths, seed);
  EvenWalk walk(lengths, {seed, 1});
  std::vector<std::vector<std::size_t>> counts;
  std::size_t product = 1;
  for (const std::size_t length : lengths) counts.emplace_back(length, 0), product *= length;

  std::set<Lengths> met;
  std::size_t largest_spread = 0;
  while (walk.remaining() > 0) {
    const Lengths positions = walk.next();
    met.insert(positions);
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
      ++counts[axis].at(positions[axis]);
      largest_spread = std::max(largest_spread, spread(counts[axis]));
    }
  }

  CHECK(met.size() == product);
  CHECK(largest_spread <= 1);
}

TEST_CASE("an even walk depends on its seed alone", "[experiments][plan]") {
  const auto first_steps = [](std::uint64_t seed) {
    EvenWalk walk({7, 8, 9}, {seed, 1});
    std::vector<Lengths> steps;
    for (int i = 0; i < 20; ++i) steps.push_back(walk.next());
    return steps;
  };

  CHECK(first_steps(3) == first_steps(3));
  CHECK(first_steps(3) != first_steps(4));
}

TEST_CASE("an even walk over a product too large to list needs no memory for it", "[experiments][plan]") {
  EvenWalk walk(Lengths(20, 8), {1, 1});
  std::set<Lengths> met;
  for (int i = 0; i < 1000; ++i) met.insert(walk.next());
  CHECK(met.size() == 1000);
}

TEST_CASE("distinct draws meet each number once and every one first sooner or later", "[experiments][plan]") {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    DistinctDraws draws(7, CounterRandom({seed, 0}, 0));
    std::set<std::uint64_t> drawn{draws.next()};
    firsts.insert(*drawn.begin());
    while (draws.remaining() > 0) drawn.insert(draws.next());
    CHECK(drawn == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
  }
  CHECK(firsts.size() == 7);
}
