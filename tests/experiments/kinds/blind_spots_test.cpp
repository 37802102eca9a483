#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/experiments/kinds/coverage_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

PointConfig lane_point(const std::string& checksum, std::int64_t lane, std::int64_t flips) {
  PointConfig point = coverage_point("same_lane_flips", checksum);
  point.base.fault.parameters.lane = lane;
  point.base.fault.parameters.flips = flips;
  point.base.fault.parameters.drive = "invert";
  // Runs that overlap escape together, so a cache must hold many more words than there are trials.
  point.base.cache.head_size = 128;
  point.base.cache.num_kv_heads = 8;
  point.base.batch.context_length = 2048;
  return point;
}

void check_missed(const PointConfig& point, double theory) {
  CAPTURE(point.base.checksum.family, point.base.checksum.piece_width, theory);
  const PointResult result = CoverageCampaign(point, small_key).run({});
  CAPTURE(number_of(result, "missed_rate"), number_of(result, "applicable"));
  CHECK(result.reason == "");
  CHECK(number_of(result, "missed_low") <= theory);
  CHECK(number_of(result, "missed_high") >= theory);
  CHECK(number_of(result, "missed_exact_low") <= theory);
  CHECK(number_of(result, "missed_exact_high") >= theory);
}

}  // namespace

TEST_CASE("pairs in one lane of 8-byte pieces escape weighted_sum the more often the higher the lane",
          "[experiments][kinds][blind]") {
  const auto [lane, theory] =
      GENERATE(table<std::int64_t, double>({{63, 1.0}, {62, 0.5}, {61, 0.25}, {60, 0.125}, {40, 0.0}}));
  PointConfig point = lane_point("weighted_sum", lane, 2);
  point.base.fault.parameters.placement = "scattered";
  check_missed(point, theory);
}

TEST_CASE("narrower pieces see every pair in one lane", "[experiments][kinds][blind]") {
  PointConfig point = lane_point("weighted_sum", 63, 2);
  point.base.fault.parameters.placement = "scattered";
  point.base.checksum.piece_width = GENERATE(2, 4);
  check_missed(point, 0.0);
}

TEST_CASE("one inversion pattern in eight of four beats escapes what weighs by position, and no CRC",
          "[experiments][kinds][blind]") {
  const auto [checksum, theory] = GENERATE(
      table<std::string, double>({{"weighted_sum", 0.125}, {"adler32", 0.125}, {"crc32c", 0.0}, {"crc32", 0.0}}));
  check_missed(lane_point(checksum, 20, 4), theory);
}

TEST_CASE("four beats in the top lanes of 8-byte pieces escape more often", "[experiments][kinds][blind]") {
  const auto [lane, theory] =
      GENERATE(table<std::int64_t, double>({{59, 0.15625}, {60, 0.1875}, {61, 0.375}, {62, 0.5}, {63, 1.0}}));
  check_missed(lane_point("weighted_sum", lane, 4), theory);
}

TEST_CASE("sums that ignore order see no exchange", "[experiments][kinds][blind]") {
  PointConfig point = coverage_point("slice_exchange", GENERATE("plain_sum", "xor_fold"));
  point.base.fault.parameters.exchanged = GENERATE("tokens", "key_value");
  point.replicates.count = 2000;
  check_missed(point, 1.0);
}

TEST_CASE("Adler-32 misses exchanged 64-byte slices whose bytes add up alike", "[experiments][kinds][blind]") {
  PointConfig point = coverage_point("slice_exchange", "adler32");
  point.base.fault.parameters.exchanged = "tokens";
  point.replicates.count = 100000;
  // Cells of 64 random bytes: their sums differ with a variance of 2 * 64 * (256^2 - 1) / 12, and are equal with the
  // density of the normal distribution at 0. Each block has 120 pairs, so it takes many of them.
  point.base.batch.context_length = 65536;
  check_missed(point, 4.77e-4);
}
