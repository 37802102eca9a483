#include "experiments/kinds/prepared_decode.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

PointContext context_keeping(std::any* kept) {
  PointContext context;
  context.random = small_key;
  context.kept = kept;
  return context;
}

}  // namespace

TEST_CASE("points that differ in their variant alone share filled caches", "[experiments]") {
  std::any kept;
  const PointContext context = context_keeping(&kept);
  const PointConfig point = small_point();
  const auto first = PreparedDecode::of_point(point, context);
  PointConfig other = point;
  other.base.variant = {"host", 64, 8};
  other.base.checksum.family = "none";

  CHECK(PreparedDecode::of_point(other, context) == first);
}

TEST_CASE("a point of another stimulus fills its own caches and lets the old ones go", "[experiments]") {
  std::any kept;
  const PointContext context = context_keeping(&kept);
  const PointConfig point = small_point();
  std::weak_ptr<PreparedDecode> first = PreparedDecode::of_point(point, context);
  PointConfig other = point;

  SECTION("seed") { other.seed = 9; }
  SECTION("cache") { other.base.cache.num_layers = 1; }
  SECTION("batch") { other.base.batch.context_length = 41; }
  SECTION("workload") { other.base.workload.working_set_bytes = 1000000; }
  SECTION("fault") { other.base.fault.model = "none"; }

  CHECK_FALSE(first.expired());
  CHECK(PreparedDecode::of_point(other, context)->fits(other));
  CHECK(first.expired());
}

TEST_CASE("without a place to keep them every point fills its own caches", "[experiments]") {
  const PointContext context = context_keeping(nullptr);

  CHECK(PreparedDecode::of_point(small_point(), context) != PreparedDecode::of_point(small_point(), context));
}

TEST_CASE("right answers are made once for each way of cutting sequences", "[experiments]") {
  PreparedDecode prepared(small_point(), small_key);
  const AttentionVariant persistent{"host", 0};

  const ReferenceOutput& first = prepared.reference(1, {"host", 32});

  CHECK(&prepared.reference(1, {"host_reference", 32, 8}) == &first);
  CHECK(&prepared.reference(0, {"host", 32}) != &first);
  CHECK(&prepared.reference(1, persistent) == &prepared.reference(1, {}));
  CHECK(first.rows == reference_output(prepared.scenario(), 1, 32).rows);
}
