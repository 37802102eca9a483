#include "experiments/kinds/device_timer.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kvarium;

TEST_CASE("runs cool the caches for one another only where they read several times as much from elsewhere",
          "[experiments]") {
  constexpr std::int64_t mebibyte = 1 << 20;
  CHECK(cooling_of(256 * mebibyte, 2) == Cooling::by_rotation);
  CHECK(cooling_of(255 * mebibyte, 100) == Cooling::by_scratch);
  CHECK(cooling_of(1023 * mebibyte, 1) == Cooling::by_scratch);
  CHECK(cooling_of(1024 * mebibyte, 1) == Cooling::by_rotation);
}
