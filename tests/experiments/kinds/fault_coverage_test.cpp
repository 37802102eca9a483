#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/point_identity.hpp"
#include "sim/random_purpose.hpp"
#include "tests/experiments/kinds/coverage_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

PointConfig small_coverage(const std::string& model, const std::string& checksum) {
  PointConfig point = small_point();
  point.kind = "fault_coverage";
  point.base.fault.model = model;
  if (model == "wrong_at_source") point.base.fault.stage = FaultStage::before_producer_sum;
  point.base.checksum.family = checksum;
  point.replicates.count = 120;
  point.controls.dummy_injections = 2;
  point.controls.noise_repeats = 2;
  return point;
}

PointResult run(const PointConfig& point) { return CoverageCampaign(point, {point.seed, stimulus_id(point)}).run({}); }

}  // namespace

TEST_CASE("points that differ only in their checksum have equal rows of faults", "[experiments][kinds][paired]") {
  const auto model = GENERATE(from_range(fault_models().names()));
  CAPTURE(model);
  const PointResult first = run(small_coverage(model, "weighted_sum"));
  CHECK(first.status == PointStatus::passed);
  REQUIRE(first.tables.faults.num_rows() == 120);

  for (const std::string& checksum : checksum_families().names()) {
    CAPTURE(checksum);
    const PointResult other = run(small_coverage(model, checksum));
    CHECK(other.reason == "");
    CHECK(other.tables.faults == first.tables.faults);
    CHECK(other.tables.trials.num_rows() == 124);
  }
}

TEST_CASE("every row of a point's trials and faults replays by its number", "[experiments][kinds]") {
  const auto model = GENERATE(from_range(fault_models().names()));
  CAPTURE(model);
  const PointConfig point = small_coverage(model, "adler32");
  const RandomKey key{point.seed, stimulus_id(point)};
  const PointResult all = run(point);

  for (const std::size_t trial : {0U, 1U, 57U, 119U, 121U, 123U}) {
    const PointResult alone = CoverageCampaign(point, key).replay(static_cast<std::int64_t>(trial));
    CHECK(alone.tables.trials.row(0) == all.tables.trials.row(trial));
    if (trial < 120) CHECK(alone.tables.faults.row(0) == all.tables.faults.row(trial));
  }
}

TEST_CASE("records beside the slots see what strikes after a one-shot check", "[experiments][kinds]") {
  PointConfig point = small_coverage("stale_block", "weighted_sum");
  point.base.fault.stage = FaultStage::after_consumer_check;

  const PointResult once = run(point);
  point.base.checksum.family = "kv_canary";
  const PointResult canary = run(point);

  CHECK(number_of(once, "missed_rate") == 1);
  CHECK(number_of(canary, "detected_rate") == 1);
}

TEST_CASE("nothing sees what was wrong before the producer summed", "[experiments][kinds]") {
  for (const std::string& checksum : checksum_families().names()) {
    CAPTURE(checksum);
    CHECK(number_of(run(small_coverage("wrong_at_source", checksum)), "missed_rate") == 1);
  }
}

TEST_CASE("a damaged record is a false alarm, a lost one unverified, and a 0 what the scheme says",
          "[experiments][kinds]") {
  const auto [damage, zero_means_absent, column] =
      GENERATE(table<std::string, bool, std::string>({{"flipped_bit", false, "false_alarm"},
                                                      {"exchanged", false, "false_alarm"},
                                                      {"dropped", false, "unverified"},
                                                      {"zeroed", false, "false_alarm"},
                                                      {"zeroed", true, "unverified"}}));
  CAPTURE(damage, zero_means_absent);
  PointConfig point = small_coverage("record_damage", GENERATE("weighted_sum", "crc32c"));
  point.base.fault.parameters.damage = damage;
  point.base.checksum.zero_means_absent = zero_means_absent;

  const PointResult result = run(point);

  CHECK(number_of(result, column) == number_of(result, "applicable"));
  CHECK(number_of(result, "applicable") == 120);
}

TEST_CASE("garbage past the stored tokens alarms whoever sums whole blocks, falsely", "[experiments][kinds]") {
  PointConfig point = small_coverage("block_tail_garbage", "adler32");

  const PointResult masked = run(point);
  point.base.checksum.byte_order = ByteOrder::memory;
  const PointResult whole = run(point);

  CHECK(number_of(masked, "missed_rate") == 1);
  CHECK(number_of(whole, "false_alarm") == number_of(whole, "applicable"));
}

TEST_CASE("a reader with another count of tokens compares nothing in the last block", "[experiments][kinds]") {
  PointConfig point = small_coverage("token_off_by_one", "weighted_sum");
  point.base.fault.parameters.off_by_one = GENERATE("one_more", "one_fewer");
  CHECK(number_of(run(point), "unverified") == 120);
  point.base.checksum = {.family = "adler32", .byte_order = ByteOrder::memory};
  CHECK(number_of(run(point), "missed_rate") == 1);
}

TEST_CASE("another request's blocks that come with their records are seen by token ids alone", "[experiments][kinds]") {
  CHECK(number_of(run(small_coverage("prefix_collision", "weighted_sum")), "missed_rate") == 1);
  CHECK(number_of(run(small_coverage("prefix_collision", "crc64_ecma")), "missed_rate") == 1);
  CHECK(number_of(run(small_coverage("prefix_collision", "kv_canary")), "detected_rate") == 1);
}

TEST_CASE("wrong scales and types leave bytes as they are, and no checksum sees them", "[experiments][kinds]") {
  for (const std::string& checksum : checksum_families().names()) {
    CAPTURE(checksum);
    const PointResult result = run(small_coverage("wrong_reading", checksum));
    CHECK(number_of(result, "missed") == number_of(result, "applicable"));
  }
}

TEST_CASE("a verdict that a full sum does not bear out is told", "[experiments][kinds]") {
  const PointConfig point = small_coverage("single_bit_flip", "weighted_sum");
  const FaultScene scene(point, small_key);
  FaultWatch watch(scene.scenario(), point.base.checksum);
  FaultInjector injector("single_bit_flip", {}, scene.target());
  const Injection& injection = injector.inject(random_for(RandomPurpose::fault, small_key, 0));

  CHECK(watch.judge(injection.record(), FaultStage::in_flight) == ChecksumVerdict::detected);
  CHECK(watch.recheck() == "");
  FaultRecord wrong = injection.record();
  wrong.changes.front().before ^= 1;
  watch.judge(wrong, FaultStage::in_flight);
  CHECK_THAT(watch.recheck(), Catch::Matchers::ContainsSubstring("differs from the value"));
}

TEST_CASE("a stop rule ends the trials, and all rows still replay", "[experiments][kinds]") {
  PointConfig point = small_coverage("single_bit_flip", "weighted_sum");
  point.replicates = {.count = 100000, .interval_width = 0.05, .looks = 10};
  const RandomKey key{point.seed, stimulus_id(point)};

  const PointResult result = run(point);
  const auto faults = static_cast<std::int64_t>(number_of(result, "num_faults"));

  CHECK(faults < 1000);
  CHECK(number_of(result, "detected_exact_high") - number_of(result, "detected_exact_low") <= 0.05);
  CHECK(result.tables.trials.num_rows() == static_cast<std::size_t>(faults) + 4);
  for (const std::int64_t trial : {faults - 1, faults, faults + 3}) {
    CHECK(CoverageCampaign(point, key).replay(trial).tables.trials.row(0) ==
          result.tables.trials.row(static_cast<std::size_t>(trial)));
  }
}

TEST_CASE("rows are kept of the first trials, and all trials are counted", "[experiments][kinds]") {
  PointConfig point = small_coverage("single_bit_flip", "weighted_sum");
  point.limits.max_recorded_trials = 50;

  const PointResult result = run(point);

  CHECK(result.tables.trials.num_rows() == 50);
  CHECK(result.tables.faults.num_rows() == 50);
  CHECK(number_of(result, "num_faults") == 120);
}
