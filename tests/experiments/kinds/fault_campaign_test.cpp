#include "experiments/kinds/fault_campaign.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "experiments/kinds/fault_impact_tables.hpp"
#include "experiments/kinds/reference_check.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

TEST_CASE("the checksum sees what strikes between the producer's sum and the consumer's check, and that alone",
          "[experiments][kinds]") {
  const auto [stage, verdict] = GENERATE(table<FaultStage, ChecksumVerdict>({
      {FaultStage::before_producer_sum, ChecksumVerdict::missed},
      {FaultStage::after_producer_sum, ChecksumVerdict::detected},
      {FaultStage::in_flight, ChecksumVerdict::detected},
      {FaultStage::after_consumer_check, ChecksumVerdict::missed},
  }));
  CAPTURE(to_string(stage));
  PointConfig point = small_point();
  point.base.fault.stage = stage;
  FaultCampaign campaign(point, small_key);

  for (std::int64_t trial = 0; trial < 10; ++trial) {
    CHECK(campaign.run_trial(TrialControl::fault, trial).verdict == verdict);
  }
}

TEST_CASE("without a checksum nothing is verified", "[experiments][kinds]") {
  PointConfig point = small_point();
  point.base.checksum.family = "none";
  FaultCampaign campaign(point, small_key);

  CHECK(campaign.run_trial(TrialControl::fault, 0).verdict == ChecksumVerdict::unverified);
  CHECK(campaign.run_trial(TrialControl::dummy, 0).verdict == ChecksumVerdict::unverified);
}

TEST_CASE("a trial is the same whatever ran before it, and leaves everything as it was", "[experiments][kinds]") {
  PointConfig point = small_point();
  point.base.fault.model = GENERATE("single_bit_flip", "stale_block", "intra_block_permutation");
  CAPTURE(point.base.fault.model);
  FaultCampaign campaign(point, small_key), other(point, small_key);
  std::set<std::int64_t> places;
  for (std::int64_t trial = 0; trial < 8; ++trial) {
    const FaultTrial outcome = campaign.run_trial(TrialControl::fault, trial);
    if (outcome.fault.is_applicable()) places.insert(outcome.fault.record->changes.front().offset);
  }

  const FaultTrial late = campaign.run_trial(TrialControl::fault, 5);
  const FaultTrial alone = other.run_trial(TrialControl::fault, 5);

  CHECK(late.difference.relative_l2 == alone.difference.relative_l2);
  CHECK(late.effect == alone.effect);
  REQUIRE(late.fault.is_applicable() == alone.fault.is_applicable());
  CHECK(places.size() > 1);
  for (std::int64_t layer = 0; layer < 2; ++layer) {
    CHECK(run_attention(campaign.scenario(), layer, point.base.variant) == campaign.golden(layer));
  }
  const FaultTrial nothing = campaign.run_trial(TrialControl::dummy, 0);
  CHECK(nothing.difference.is_identical);
  CHECK(nothing.verdict == ChecksumVerdict::clean);
}

TEST_CASE("silent is what spoils the output without being detected", "[experiments][kinds]") {
  const auto [effect, verdict, silent] = GENERATE(table<FaultEffect, ChecksumVerdict, std::int64_t>({
      {FaultEffect::corrupted, ChecksumVerdict::missed, 1},
      {FaultEffect::nan, ChecksumVerdict::missed, 1},
      {FaultEffect::corrupted, ChecksumVerdict::unverified, 1},
      {FaultEffect::corrupted, ChecksumVerdict::detected, 0},
      {FaultEffect::tolerable, ChecksumVerdict::missed, 0},
      {FaultEffect::masked, ChecksumVerdict::missed, 0},
      {FaultEffect::not_applicable, ChecksumVerdict::clean, 0},
  }));
  FaultTrial trial;
  trial.effect = effect;
  trial.verdict = verdict;
  FaultCounts counts;

  counts.add(trial);

  CHECK(counts.silent == silent);
  CHECK(counts.applicable() == (effect == FaultEffect::not_applicable ? 0 : 1));
}
