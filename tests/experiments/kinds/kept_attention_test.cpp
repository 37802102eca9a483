#include "experiments/kinds/kept_attention.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "sim/random_purpose.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

PointConfig impact_point(const std::string& model) {
  PointConfig point = small_point();
  point.base.cache.element_type = GENERATE(ElementType::float16, ElementType::float8_e4m3);
  point.base.batch.num_sequences = 3;
  point.base.batch.context_length = 150;
  point.base.batch.min_context_length = 20;
  point.base.batch.shared_prefix_length = 16;
  point.base.batch.sliding_window = GENERATE(0, 40);
  point.base.batch.alibi = true;
  point.base.variant.partition_size = 32;
  point.base.fault.model = model;
  if (model == "wrong_at_source") point.base.fault.stage = FaultStage::before_producer_sum;
  return point;
}

}  // namespace

TEST_CASE("attending the touched partitions alone gives the bits of attending everything", "[experiments][kinds]") {
  const auto model = GENERATE(from_range(fault_models().names()));
  CAPTURE(model);
  const PointConfig point = impact_point(model);
  const FaultScene scene(point, small_key);
  KeptAttention attention(scene, point);
  FaultInjector injector(model, {}, scene.target());

  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    CAPTURE(trial);
    const Injection& injection = injector.inject(random_for(RandomPurpose::fault, small_key, trial));
    if (!injection.is_applicable()) continue;
    attention.difference(injection.record());
    CHECK(attention.recheck() == "");
    revert(injection.record(), scene.target());
  }
  CHECK(attention.intact_difference().is_identical);
}

TEST_CASE("a family without kept partitions measures the same effects by whole layers", "[experiments][kinds]") {
  PointConfig point = small_point();
  point.base.variant.family = "host_reference";
  const FaultScene scene(point, small_key);
  KeptAttention attention(scene, point);
  FaultInjector injector("stale_block", {}, scene.target());

  const Injection& injection = injector.inject(random_for(RandomPurpose::fault, small_key, 1));

  REQUIRE(injection.is_applicable());
  CHECK_FALSE(attention.difference(injection.record()).is_identical);
  CHECK(attention.recheck() == "");
}

TEST_CASE("a recheck tells an output that its partitions do not explain", "[experiments][kinds]") {
  const PointConfig point = small_point();
  const FaultScene scene(point, small_key);
  KeptAttention attention(scene, point);
  FaultInjector injector("stale_block", {}, scene.target());
  const Injection& injection = injector.inject(random_for(RandomPurpose::fault, small_key, 1));
  REQUIRE(injection.is_applicable());
  FaultRecord record = injection.record();

  // As if the record had left out all that it changed but its first byte's KV head.
  std::erase_if(record.changes, [&](const ByteChange& change) { return change.kv_head != record.kv_head; });
  attention.difference(record);

  CHECK(attention.recheck() != "");
}

TEST_CASE("the tail of a block may hold anything and leaves the output as it is", "[experiments][kinds]") {
  const PointConfig point = impact_point("block_tail_garbage");
  const FaultScene scene(point, small_key);
  KeptAttention attention(scene, point);
  FaultInjector injector("block_tail_garbage", {}, scene.target());

  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    const Injection& injection = injector.inject(random_for(RandomPurpose::fault, small_key, trial));
    if (!injection.is_applicable()) continue;
    CHECK(attention.difference(injection.record()).is_identical);
    revert(injection.record(), scene.target());
  }
}
