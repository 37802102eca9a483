#include "experiments/kinds/coverage_sharing.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <stdexcept>

#include "tests/experiments/kinds/coverage_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

PointConfig shared_point(const std::string& model, const std::string& checksum) {
  PointConfig point = coverage_point(model, checksum);
  point.replicates = {.count = 2000, .interval_width = 0.05, .looks = 10};
  point.controls.dummy_injections = 2;
  point.limits.max_recorded_trials = 300;
  return point;
}

/// A point's context with companions that hold other checksums.
struct SharedRun {
  std::any kept;
  int asked = 0;

  PointResult run(const PointConfig& point, const std::vector<std::string>& others) {
    PointContext context;
    context.random = small_key;
    context.kept = &kept;
    context.companions = [&, others] {
      ++asked;
      std::vector<PointConfig> companions;
      for (const std::string& other : others) companions.push_back(shared_point(point.base.fault.model, other));
      return companions;
    };
    return run_coverage(point, context);
  }
};

void check_equal(const PointResult& together, const PointResult& alone) {
  CHECK(together.status == alone.status);
  CHECK(together.reason == alone.reason);
  CHECK(together.tables == alone.tables);
}

}  // namespace

TEST_CASE("a checksum sees the same alone as beside others that stop sooner or later", "[experiments][kinds]") {
  const auto model = GENERATE("single_bit_flip", "slice_exchange", "missing_component", "record_damage");
  CAPTURE(model);
  const std::vector<std::string> checksums{"weighted_sum", "xor_fold", "edge_crc", "syndrome", "kv_canary"};
  SharedRun shared;

  for (std::size_t i = 0; i < checksums.size(); ++i) {
    CAPTURE(checksums[i]);
    const PointConfig point = shared_point(model, checksums[i]);
    const PointResult together =
        shared.run(point, {checksums.begin() + static_cast<std::ptrdiff_t>(i) + 1, checksums.end()});
    check_equal(together, CoverageCampaign(point, small_key).run({}));
  }
  CHECK(shared.asked == 1);
}

TEST_CASE("a companion that cannot run leaves the others their results", "[experiments][kinds]") {
  const PointConfig point = shared_point("single_bit_flip", "weighted_sum");
  SharedRun shared;

  check_equal(shared.run(point, {"no_such_checksum"}), CoverageCampaign(point, small_key).run({}));
  CHECK_THROWS(shared.run(shared_point("single_bit_flip", "no_such_checksum"), {}));
}

TEST_CASE("a point that is told to stop leaves nothing behind", "[experiments][kinds]") {
  std::any kept;
  PointContext context;
  context.random = small_key;
  context.kept = &kept;
  context.companions = [] { return std::vector{shared_point("single_bit_flip", "crc32c")}; };
  bool stops = true;
  context.should_stop = [&] { return stops; };

  CHECK(run_coverage(shared_point("single_bit_flip", "weighted_sum"), context).status == PointStatus::unfinished);
  stops = false;
  const PointConfig other = shared_point("single_bit_flip", "crc32c");
  check_equal(run_coverage(other, context), CoverageCampaign(other, small_key).run({}));
}
