#include "experiments/kinds/timed_samples.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "core/check.hpp"
#include "experiments/kinds/throughput_tables.hpp"

using Catch::Matchers::ContainsSubstring;

namespace kvarium {
namespace {

/// Work whose clock always shows `seconds`, and which counts its runs.
TimedWork constant_clock(const std::string& name, double seconds, int& runs) {
  return {name, 1024, [seconds, &runs](std::int64_t) {
            ++runs;
            return seconds;
          }};
}

}  // namespace

TEST_CASE("timing ends at max_samples when the clock stands still, runs backwards or shows no number",
          "[experiments][kinds]") {
  for (double seconds : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    int runs = 0;

    const auto series = time_in_turns({constant_clock("still", seconds, runs)}, {0.2, 7});

    CHECK(series.at(0).seconds.size() == 7);
    CHECK(runs == 8);  // and one warm-up
  }
}

TEST_CASE("timing ends at min_time_seconds where the clock moves, after three samples at least",
          "[experiments][kinds]") {
  int quick = 0;
  int slow = 0;

  const auto series =
      time_in_turns({constant_clock("quick", 0.0625, quick), constant_clock("slow", 8, slow)}, {0.5, 1000});

  CHECK(series.at(0).seconds.size() == 8);
  CHECK(series.at(1).seconds.size() == 3);
}

TEST_CASE("three samples are taken even where max_samples is below three", "[experiments][kinds]") {
  int runs = 0;

  CHECK(time_in_turns({constant_clock("one", 8, runs)}, {0.2, 1}).at(0).seconds.size() == 3);
}

TEST_CASE("a clock that saw no time pass gives no rate but an error that names the work", "[experiments][kinds]") {
  int kernel = 0;
  int reader = 0;

  CHECK_THROWS_WITH(
      measure_throughput(constant_clock("kernel", 1, kernel), {constant_clock("reader", 0, reader)}, {0.2, 5}),
      ContainsSubstring("reader: the clock saw no time pass"));
}

}  // namespace kvarium
