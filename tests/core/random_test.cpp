#include "core/random.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

namespace kvarium::test {
namespace {

// Known answers of philox4x64-10 as published with Random123 (kat_vectors).
TEST_CASE("Philox gives the published answers", "[core]") {
  using Words = std::array<std::uint64_t, 4>;
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        Words{0x16554d9eca36314cULL, 0xdb20fe9d672d0fdcULL, 0xd7e772cee186176bULL, 0x7e68b68aec7ba23bULL});
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        Words{0x87b092c3013fe90bULL, 0x438c3c67be8d0224ULL, 0x9cc7d7c69cd777b6ULL, 0xa09caebf594f0ba0ULL});
}

TEST_CASE("a draw depends on key, trial, purpose and its number only", "[core]") {
  CounterRandom in_order({1, 2}, 3, 4);
  const CounterRandom direct({1, 2}, 3, 4);
  for (std::uint64_t draw = 0; draw < 9; ++draw) CHECK(in_order() == direct.at(draw));
  CHECK(CounterRandom({1, 2}, 3, 5).at(0) != direct.at(0));
  CHECK(CounterRandom({1, 2}, 4, 4).at(0) != direct.at(0));
  CHECK(CounterRandom({1, 3}, 3, 4).at(0) != direct.at(0));
  CHECK(CounterRandom({2, 2}, 3, 4).at(0) != direct.at(0));
}

TEST_CASE("bounded draws stay in range and reach both ends", "[core]") {
  CounterRandom random({5, 6}, 0);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t value = random.below(7);
    REQUIRE(value < 7);
    low = low || value == 0;
    high = high || value == 6;
  }
  CHECK((low && high));
}

TEST_CASE("bounded draws favour no number where the range does not divide the words", "[core]") {
  // Four words fall to every three numbers below 3 * 2^62: without rejection every third number comes twice as often.
  CounterRandom random({5, 6}, 1);
  constexpr int count = 9000;
  int thirds[3] = {};
  for (int i = 0; i < count; ++i) ++thirds[random.below(std::uint64_t{3} << 62) % 3];
  // Standard deviation 45.
  for (const int third : thirds) CHECK(std::abs(third - count / 3) < 225);
}

}  // namespace
}  // namespace kvarium::test
