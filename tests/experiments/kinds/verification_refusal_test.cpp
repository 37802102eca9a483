#include <catch2/catch_test_macros.hpp>

#include "experiments/kinds/experiment_kind.hpp"
#include "kernels/attention/attention_family.hpp"
#include "tests/experiments/kinds/small_point.hpp"

namespace kvarium::test {
namespace {

TEST_CASE("decode_attention refuses to verify with a family that cannot, and says what can", "[experiments]") {
  PointConfig point = small_point();
  const ExperimentKind& kind = experiment_kinds().at("decode_attention");
  point.kind = "decode_attention";
  point.base.fault.model = "none";
  REQUIRE(kind.refusal(point).value_or("") == "");

  point.base.variant.verification = "weighted_sum";

  CHECK(kind.refusal(point).value_or("") ==
        "family host cannot verify the cache; set verification: none, or choose one that can (CUDA)");
}

}  // namespace
}  // namespace kvarium::test
