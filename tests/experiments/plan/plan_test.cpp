#include "experiments/plan/plan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "experiments/plan/point_identity.hpp"
#include "experiments/plan/point_maker.hpp"
#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;

namespace {

Plan make_plan(const std::string& more) { return Plan(parse(example_text(more))); }

}  // namespace

TEST_CASE("a plan without a sweep is one point", "[experiments][plan]") {
  const Plan plan = make_plan("");
  CHECK(plan.num_points() == 1);
  CHECK(plan.swept_fields().empty());
  CHECK(plan.point(0) == plan.experiment().point);
}

TEST_CASE("a grid gives every combination, its first key slowest", "[experiments][plan]") {
  const Plan plan = make_plan(
      "base: {cache: {head_size: 64}}\n"
      "sweep: {grid: {cache.layout: [hnd, nhd], cache.block_size: [16, 32, 64]}}\n");

  REQUIRE(plan.num_points() == 6);
  CHECK(plan.swept_values(0) == std::vector<FieldValue>{std::string("hnd"), std::int64_t{16}});
  CHECK(plan.swept_values(1) == std::vector<FieldValue>{std::string("hnd"), std::int64_t{32}});
  CHECK(plan.swept_values(3) == std::vector<FieldValue>{std::string("nhd"), std::int64_t{16}});
  CHECK(plan.point(5).base.cache.layout == CacheLayout::nhd);
  CHECK(plan.point(5).base.cache.block_size == 64);
  CHECK(plan.point(5).base.cache.head_size == 64);
}

TEST_CASE("an impossible combination of swept values is a skipped point with its reason", "[experiments][plan]") {
  const Plan plan = make_plan(
      "base: {cache: {head_size: 72}}\n"
      "sweep: {grid: {cache.layout: [split_x, hnd], cache.element_type: [float16, float8_e4m3]}}\n");

  CHECK_FALSE(plan.skip_reason(0).has_value());
  REQUIRE(plan.skip_reason(1).has_value());
  CHECK_THAT(*plan.skip_reason(1), ContainsSubstring("head_size 72 does not fit layout split_x of float8_e4m3"));
  CHECK_FALSE(plan.skip_reason(2).has_value());
  CHECK_FALSE(plan.skip_reason(3).has_value());
}

TEST_CASE("a point its kind refuses is skipped with the kind's reason", "[experiments][plan]") {
  const Plan plan = make_plan("sweep: {grid: {fault.model: [none, stale_block]}}\n");
  CHECK_FALSE(plan.skip_reason(0).has_value());
  CHECK_THAT(plan.skip_reason(1).value_or(""), ContainsSubstring("decode_attention injects no faults"));
}

TEST_CASE("a plan of which no point can run is refused with the first reason", "[experiments][plan]") {
  const Plan some = make_plan("sweep: {grid: {fault.model: [none, stale_block]}}\n");
  const Plan none = make_plan("base: {fault: {model: stale_block}}\nsweep: {grid: {batch.num_sequences: [1, 2]}}\n");
  CHECK_NOTHROW(some.validate_runnable());
  CHECK_THROWS_WITH(none.validate_runnable(), ContainsSubstring("none of the 2 points can run; the first: ") &&
                                                  ContainsSubstring("decode_attention injects no faults"));
}

TEST_CASE("a fault setting that a swept model does not take skips that model's points", "[experiments][plan]") {
  const Plan plan(
      parse("schema: 1\nname: example\nkind: fault_impact\nbase: {fault: {bits: sign}}\n"
            "sweep: {grid: {fault.model: [single_bit_flip, stale_block]}}\n"));
  CHECK_FALSE(plan.skip_reason(0).has_value());
  CHECK_THAT(plan.skip_reason(1).value_or(""), ContainsSubstring("fault model 'stale_block' takes no 'bits'"));
}

TEST_CASE("the fingerprint ignores the order of keys and values", "[experiments][plan]") {
  const Plan plan = make_plan("sweep: {grid: {cache.layout: [hnd, nhd], cache.block_size: [16, 32]}}\n");
  const Plan turned = make_plan("sweep: {grid: {cache.block_size: [32, 16], cache.layout: [nhd, hnd]}}\n");
  CHECK(plan.fingerprint() == turned.fingerprint());
  CHECK(plan.fingerprint().size() == 64);
}

TEST_CASE("the fingerprint tells other points and other ways of running them apart", "[experiments][plan]") {
  const std::string sweep = "sweep: {grid: {cache.layout: [hnd, nhd]}}\n";
  const std::string fingerprint = make_plan(sweep).fingerprint();
  CHECK(fingerprint != make_plan("sweep: {grid: {cache.layout: [hnd, packed]}}\n").fingerprint());
  CHECK(fingerprint != make_plan(sweep + "replicates: 2\n").fingerprint());
  CHECK(fingerprint != make_plan(sweep + "controls: {golden: false}\n").fingerprint());
  CHECK(fingerprint != make_plan(sweep + "limits: {max_samples: 3}\n").fingerprint());
  CHECK(fingerprint != make_plan(sweep + "record: {raw_samples: true}\n").fingerprint());
  CHECK(fingerprint != make_plan(sweep + "seed: 2\n").fingerprint());
}

TEST_CASE("a point keeps its id when values are added to an axis", "[experiments][plan]") {
  const Plan small = make_plan("sweep: {grid: {cache.block_size: [16, 64]}}\n");
  const Plan large = make_plan("sweep: {grid: {cache.block_size: [8, 16, 32, 64]}}\n");
  CHECK(small.point_ids()[0] == large.point_ids()[1]);
  CHECK(small.point_ids()[1] == large.point_ids()[3]);
}

TEST_CASE("a plan of many points has distinct ids", "[experiments][plan]") {
  const Plan plan =
      make_plan("sweep: {grid: {batch.context_length: {range: [1, 100]}, batch.num_sequences: {range: [1, 100]}}}\n");
  CHECK(plan.num_points() == 10000);
  CHECK(plan.point(9999).base.batch.num_sequences == 100);
}

TEST_CASE("points that say the same in two ways are refused", "[experiments][plan]") {
  const Field& preset = base_fields().fields()[static_cast<std::size_t>(base_fields().find("fault.preset"))];
  const std::string name = preset.info.choices().at(1);
  const FaultConfig resolved = [&] {
    PointConfig point;
    point.base.fault.preset = name;
    return PointMaker(point, {}).make({}).base.fault;
  }();
  std::string row = "fault.model: " + resolved.model;
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    if (!info.is_default(resolved.parameters)) row += ", fault." + info.name + ": " + info.text(resolved.parameters);
  }

  CHECK_THROWS_WITH(make_plan("sweep: {list: [{fault.preset: none}, {fault.preset: " + name + "}, {" + row + "}]}\n"),
                    ContainsSubstring("points 1 and 2 of the sweep are one, written in two ways (id "));
}
