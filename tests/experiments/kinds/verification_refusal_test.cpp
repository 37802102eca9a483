#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "experiments/kinds/experiment_kind.hpp"
#include "kernels/attention/attention_family.hpp"
#include "tests/experiments/kinds/small_point.hpp"

namespace kvarium::test {
namespace {

TEST_CASE("decode_attention refuses to verify with a family that cannot, and says what to do", "[experiments]") {
  if (attention_families().find("v2_faithful") == nullptr) SKIP("this build has no family that cannot verify");
  PointConfig point = small_point();
  const ExperimentKind& kind = experiment_kinds().at("decode_attention");
  point.kind = "decode_attention";
  point.device = Device::cuda;
  point.base.fault.model = "none";
  point.base.variant.family = "v2_faithful";
  point.base.variant.device_profile = "h200";
  REQUIRE(kind.refusal(point).value_or("") == "");

  point.base.variant.verification = "weighted_sum";

  CHECK(kind.refusal(point).value_or("") ==
        "family v2_faithful cannot verify the cache; set verification: none, or choose one that can");
}

TEST_CASE("kinds whose attention has no records refuse a variant that verifies", "[experiments]") {
  PointConfig point = small_point();
  point.kind = GENERATE(as<std::string>(), "fault_impact", "transfer");
  point.base.variant.verification = "mixed_sum";

  CHECK(experiment_kinds().at(point.kind).refusal(point).value_or("") ==
        point.kind + " keeps no records that attention could verify; set variant.verification: none");
}

TEST_CASE("decode_attention on the host verifies every slice of a step", "[experiments]") {
  PointConfig point = small_point();
  point.kind = "decode_attention";
  point.base.fault.model = "none";
  point.base.variant.verification = GENERATE(as<std::string>(), "weighted_sum", "mixed_sum");
  point.limits.min_time_seconds = 0;
  point.limits.max_samples = 2;
  PointContext context;
  context.random = small_key;

  const PointResult result = experiment_kinds().at("decode_attention").run(point, context);

  CHECK(result.reason == "");
  CHECK(result.status == PointStatus::passed);
  REQUIRE(result.tables.summary.num_rows() == 1);
  CHECK(result.tables.summary.value("verified_slices", 0) == Value(24));  // 2 layers, sequences and heads, 3 blocks
  CHECK(result.tables.summary.value("unverified_slices", 0) == Value(0));
}

}  // namespace
}  // namespace kvarium::test
