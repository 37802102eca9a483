#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "experiments/kinds/experiment_kind.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

PointConfig point_of_kind(const std::string& kind) {
  PointConfig point = small_point();
  point.kind = kind;
  point.replicates.count = 5;
  point.limits.min_time_seconds = 0;
  point.limits.max_samples = 1;
  const bool has_faults = kind.starts_with("fault_");
  if (has_faults) point.controls.dummy_injections = 3, point.controls.noise_repeats = 2;
  if (!has_faults) point.base.fault.model = "none";
  if (kind == "transfer") point.base.checksum.family = "none";
  return point;
}

}  // namespace

TEST_CASE("every kind says before a run how many trials it has", "[experiments][kinds][contract]") {
  const std::string name = GENERATE(from_range(experiment_kinds().names()));
  CAPTURE(name);
  const ExperimentKind& kind = experiment_kinds().at(name);
  const PointConfig point = point_of_kind(name);
  REQUIRE(kind.refusal(point).value_or("") == "");
  PointContext context;
  context.random = small_key;

  const PointResult result = kind.run(point, context);

  CHECK(static_cast<std::int64_t>(result.tables.trials.num_rows()) == kind.most_trials(point));
}
