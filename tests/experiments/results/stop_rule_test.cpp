#include "experiments/results/stop_rule.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/random.hpp"

using namespace kvarium;
using Catch::Approx;

TEST_CASE("a stop rule looks at fixed numbers of trials that double", "[experiments][results]") {
  CHECK(StopRule{1000, 0.1, 4}.look_counts() == std::vector<std::int64_t>{125, 250, 500, 1000});
  CHECK(StopRule{5, 0.1, 10}.look_counts() == std::vector<std::int64_t>{1, 2, 3, 5});
  CHECK(StopRule{1000, 0, 4}.look_counts() == std::vector<std::int64_t>{1000});
}

TEST_CASE("every look takes its part of the error probability", "[experiments][results]") {
  CHECK(StopRule{1000, 0.1, 4}.look_level() == Approx(0.9875));
  CHECK(StopRule{1000, 0, 4}.look_level() == Approx(0.95));
}

TEST_CASE("a rule is reached by a narrow interval alone", "[experiments][results]") {
  const StopRule rule{100000, 0.02, 5};

  CHECK_FALSE(rule.is_reached(50, 100));
  CHECK(rule.is_reached(25000, 50000));
  CHECK(rule.is_reached(0, 1000));
  CHECK_FALSE(rule.is_reached(0, 0));
  CHECK_FALSE(StopRule{100, 0, 5}.is_reached(0, 1000));
}

TEST_CASE("intervals of runs that stop early still cover the share", "[experiments][results]") {
  const StopRule rule{4000, 0.12, 6};
  constexpr double share = 0.3;
  constexpr int runs = 1000;
  int covered = 0, stopped_early = 0;

  for (std::uint64_t run = 0; run < runs; ++run) {
    CounterRandom random({11, 12}, run);
    std::int64_t count = 0, total = 0;
    for (const std::int64_t look : rule.look_counts()) {
      for (; total < look; ++total) count += random.uniform() < share ? 1 : 0;
      if (rule.is_reached(count, total)) break;
    }
    stopped_early += total < rule.most_trials ? 1 : 0;
    const Proportion interval = rule.interval(count, total);
    covered += interval.low <= share && share <= interval.high ? 1 : 0;
  }

  CHECK(stopped_early > runs / 2);
  CHECK(covered >= 950);
}

TEST_CASE("no run ends before the first look that could be enough", "[experiments][results]") {
  CHECK(StopRule{1000, 0, 4}.fewest_trials() == 1000);
  CHECK(StopRule{100, 0.0001, 4}.fewest_trials() == 100);

  const StopRule rule{4000, 0.01, 10};
  CHECK(rule.fewest_trials() == 1000);
  CHECK(rule.is_reached(1000, 1000));
  CHECK_FALSE(rule.is_reached(500, 500));
}
