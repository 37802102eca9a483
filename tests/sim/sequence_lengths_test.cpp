#include "sim/sequence_lengths.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr RandomKey key{3, 4};

TEST_CASE("listed lengths come back as listed and must match the number of sequences", "[sim][batch]") {
  CHECK(draw_lengths(ListedLengths{{5, 0, 7}}, 3, key) == std::vector<std::int32_t>{5, 0, 7});
  CHECK_THROWS_AS(draw_lengths(ListedLengths{{5, 0, 7}}, 2, key), InputError);
  CHECK_THROWS_AS(draw_lengths(ListedLengths{{5, -1}}, 2, key), InputError);
}

TEST_CASE("log-uniform lengths reach both ends and fill each order of magnitude alike", "[sim][batch]") {
  const std::vector<std::int32_t> lengths = draw_lengths(LogUniformLengths{1, 999}, 30000, key);

  CHECK(std::ranges::min(lengths) == 1);
  CHECK(std::ranges::max(lengths) == 999);
  for (const std::int32_t low : {1, 10, 100}) {
    const auto count =
        std::ranges::count_if(lengths, [low](std::int32_t length) { return length >= low && length < 10 * low; });
    // A third each; five standard deviations are 410.
    CHECK(count > 9590);
    CHECK(count < 10410);
  }
}

TEST_CASE("log-uniform lengths of one value are that value", "[sim][batch]") {
  CHECK(draw_lengths(LogUniformLengths{64, 64}, 3, key) == std::vector<std::int32_t>{64, 64, 64});
}

TEST_CASE("ranges of lengths that are none are refused", "[sim][batch]") {
  CHECK_THROWS_AS(draw_lengths(LogUniformLengths{0, 10}, 1, key), InputError);
  CHECK_THROWS_AS(draw_lengths(LogUniformLengths{11, 10}, 1, key), InputError);
  CHECK_THROWS_AS(draw_lengths(EqualLengths{std::int64_t{1} << 31}, 1, key), InputError);
}

}  // namespace
}  // namespace kvarium
