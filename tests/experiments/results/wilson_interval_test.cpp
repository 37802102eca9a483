#include "experiments/results/wilson_interval.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace kvarium;
using Catch::Approx;

// Published intervals: R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
// Medicine 17 (1998), table I, method 3 (score method).
TEST_CASE("Wilson intervals are the published ones", "[experiments][results]") {
  struct Published {
    std::int64_t count, total;
    double low, high;
  };
  for (const auto& [count, total, low, high] :
       {Published{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}}) {
    CAPTURE(count, total);
    const Proportion proportion = wilson_interval(count, total);
    CHECK(proportion.rate == static_cast<double>(count) / static_cast<double>(total));
    CHECK(proportion.low == Approx(low).margin(5e-5));
    CHECK(proportion.high == Approx(high).margin(5e-5));
  }
}

TEST_CASE("the interval of the complement is the mirror image", "[experiments][results]") {
  CHECK(wilson_interval(7, 30).low == Approx(1 - wilson_interval(23, 30).high));
  CHECK(wilson_interval(20, 20).high == 1.0);
  CHECK(wilson_interval(0, 20).low == 0.0);
}

TEST_CASE("a share of nothing is no number", "[experiments][results]") {
  CHECK(std::isnan(wilson_interval(0, 0).rate));
  CHECK(std::isnan(wilson_interval(0, 0).low));
  CHECK(std::isnan(wilson_interval(0, 0).high));
}
