#include <catch2/catch_test_macros.hpp>
#include <ctime>

#include "experiments/config/combination_rules.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/plan/point_identity.hpp"
#include "experiments/plan/skip_reasons.hpp"
#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

const std::string campaign =
    "schema: 1\nname: example\nkind: fault_coverage\nbase: {checksum: {family: weighted_sum}}\n";

/// Presets, nested keys, numbers, texts, and combinations of every sort that cannot be.
const std::string motley =
    "schema: 1\nname: example\nkind: fault_coverage\nseed: 9007199254740991\n"
    "base: {checksum: {family: weighted_sum}}\n"
    "sweep:\n"
    "  grid:\n"
    "    cache.layout: [split_x, hnd]\n"
    "    cache.head_size: [72, 128]\n"
    "    cache.element_type: [float16, float8_e4m3]\n"
    "    batch.fragmentation: [0, 0.1, 1e-7]\n"
    "    fault.bits: [any, sign]\n"
    "    checksum.piece_width: [4, 8]\n"
    "    transfer.producer.tensor_ranks: [1, 3]\n"
    "    transfer.consumer.block_size: [0, 32]\n"
    "  zip:\n"
    "    - - {fault.preset: none}\n"
    "      - {fault.model: single_bit_flip}\n"
    "      - {fault.model: stale_block}\n"
    "  list:\n"
    "    - {fault.preset: PRESET}\n"
    "    - {fault.preset: PRESET, fault.model: stale_block}\n"
    "    - {fault.preset: PRESET, fault.bits: sign}\n"
    "    - {fault.model: single_bit_flip, cache.source: synthetic, checksum.seed: 7, batch.sinks: true}\n";

Plan motley_plan() {
  std::string text = motley;
  const std::string preset = base_fields().fields()[static_cast<std::size_t>(base_fields().find("fault.preset"))]
                                 .info.choices()
                                 .back();
  for (std::size_t at = text.find("PRESET"); at != std::string::npos; at = text.find("PRESET")) {
    text.replace(at, 6, preset);
  }
  return Plan(parse(text));
}

}  // namespace

TEST_CASE("ids of a plan are those of its points made one by one", "[experiments][plan]") {
  const Plan plan = motley_plan();
  REQUIRE(plan.num_points() > 1000);
  for (std::int64_t index = 0; index < plan.num_points(); ++index) {
    CAPTURE(index);
    REQUIRE(plan.point_ids()[static_cast<std::size_t>(index)] == point_id(plan.point(index)));
  }
}

TEST_CASE("reasons to skip the points of a plan are those of its points one by one", "[experiments][plan]") {
  const Plan plan = motley_plan();
  SkipReasons reasons(plan);
  std::int64_t skipped = 0;
  // There and back, so that every key changes with and without its neighbours.
  for (const std::int64_t step : {1, 7, -1, -5}) {
    for (std::int64_t index = step > 0 ? 0 : plan.num_points() - 1; index >= 0 && index < plan.num_points();
         index += step) {
      CAPTURE(index);
      const PointConfig point = plan.point(index);
      auto expected = combination_problem(point.base);
      if (!expected) expected = experiment_kinds().at(point.kind).refusal(point);
      REQUIRE(reasons.at(index) == expected);
      skipped += expected ? 1 : 0;
    }
  }
  CHECK(skipped > 0);
}

TEST_CASE("a plan of many points is identified and looked through in little time", "[experiments][plan]") {
  const std::string text = campaign +
                           "sweep:\n"
                           "  grid:\n"
                           "    cache.layout: [split_x, hnd]\n"
                           "    cache.block_size: [16, 32, 64]\n"
                           "    fault.model: [single_bit_flip, stale_block, late_write]\n"
                           "    checksum.piece_width: [2, 4, 8]\n"
                           "    batch.context_length: {range: [1, 1000]}\n";
  const std::clock_t start = std::clock();

  const Plan plan(parse(text));
  const std::int64_t skipped = count_skipped(plan);

  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK(plan.num_points() == 54000);
  CHECK(skipped == 0);
  // Some 5 microseconds a point are usual, in optimised builds; sanitizers take tenfold.
  CHECK(seconds < 54000 * 200e-6);
}
