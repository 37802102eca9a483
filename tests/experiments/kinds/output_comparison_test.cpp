#include "experiments/kinds/output_comparison.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>

using namespace kvarium;
using Catch::Approx;

namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Rows of two elements.
OutputDifference difference_of(const std::vector<float>& actual, const std::vector<float>& expected) {
  return compare_outputs(bytes_of(actual), bytes_of(expected), ElementType::float32, 2);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("equal outputs do not differ", "[experiments][kinds]") {
  const OutputDifference difference = difference_of({1, 2, 3, 4}, {1, 2, 3, 4});
  CHECK(difference.is_identical);
  CHECK(difference.relative_l2 == 0);
}

TEST_CASE("the worst row counts, relative to what is expected of it", "[experiments][kinds]") {
  const OutputDifference difference = difference_of({3, 4, 30, 80, 1, 0}, {3, 4, 30, 40, 1, 0});
  CHECK_FALSE(difference.is_identical);
  CHECK(difference.relative_l2 == Approx(40.0 / 50.0));
  CHECK(difference.worst_row == 1);
  CHECK(difference.largest_difference == 40.0);
  CHECK_FALSE(difference.has_new_nan);
}

TEST_CASE("anything where nothing is expected is infinitely far", "[experiments][kinds]") {
  CHECK(difference_of({0, 1e-30F, 1, 1}, {0, 0, 1, 1}).relative_l2 == std::numeric_limits<double>::infinity());
}

TEST_CASE("zeros of two signs differ in bits alone", "[experiments][kinds]") {
  const OutputDifference difference = difference_of({0.0F, 1}, {-0.0F, 1});
  CHECK_FALSE(difference.is_identical);
  CHECK(difference.relative_l2 == 0);
}

TEST_CASE("NaN and infinity where a number is expected are new, and infinitely far", "[experiments][kinds]") {
  for (const float wrong : {std::nanf(""), infinity, -infinity}) {
    const OutputDifference difference = difference_of({1, 2, wrong, 4}, {1, 2, 3, 4});
    CHECK(difference.has_new_nan);
    CHECK(difference.relative_l2 == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("each type of query has the tolerance of its attention", "[experiments][kinds]") {
  CHECK(output_tolerance(ElementType::float32) == 1e-5);
  CHECK(output_tolerance(ElementType::float16) == 2e-3);
  CHECK(output_tolerance(ElementType::bfloat16) == 1e-2);
}

TEST_CASE("a number where NaN or infinity is expected is infinitely far", "[experiments][kinds]") {
  for (const float expected : {std::nanf(""), infinity, -infinity}) {
    CHECK(difference_of({1, 2, 3, 4}, {1, 2, expected, 4}).relative_l2 == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("infinities that are expected hide no difference beside them", "[experiments][kinds]") {
  CHECK(difference_of({infinity, 5}, {infinity, 4}).relative_l2 == Approx(0.25));
}
