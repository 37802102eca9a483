#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <filesystem>
#include <set>

#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/load_experiment.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/point_runner.hpp"
#include "sim/transfer/transfer_defect.hpp"

using namespace kvarium;

namespace {

std::vector<std::filesystem::path> incident_files() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path tests = KVARIUM_TEST_DATA;
  for (const auto& entry : std::filesystem::directory_iterator(tests / "../../experiments/configs/incidents")) {
    files.push_back(entry.path());
  }
  return files;
}

PointResult run_point_of(const Plan& plan, std::int64_t index) {
  const PointConfig point = plan.point(index);
  return experiment_kinds().at(point.kind).run(point, point_context(point));
}

std::int64_t count(const PointResult& result, const char* column) {
  return result.tables.summary.column(column).values<std::int64_t>().front();
}

}  // namespace

TEST_CASE("every reported incident damages a cache or raises an alarm, and without its defect is clean",
          "[experiments][incidents]") {
  const std::filesystem::path file = GENERATE(from_range(incident_files()));
  CAPTURE(file.filename());
  const Plan plan(load_experiment(file, {"replicates=8"}));
  const Plan right(load_experiment(file, {"replicates=2", "transfer.defect=none"}));

  for (std::int64_t index = 0; index < plan.num_points(); ++index) {
    const PointResult result = run_point_of(plan, index);
    CHECK(result.status == PointStatus::passed);
    CHECK(count(result, "damaged") + count(result, "alarms") > 0);
  }
  for (std::int64_t index = 0; index < right.num_points(); ++index) {
    const PointResult result = run_point_of(right, index);
    CAPTURE(result.reason);
    CHECK(result.status == PointStatus::passed);
    CHECK(count(result, "damaged") == 0);
    CHECK(count(result, "alarms") == 0);
    CHECK(count(result, "masked") == 2);
  }
}

TEST_CASE("the incidents are at least 25, of at least 14 fault classes", "[experiments][incidents]") {
  std::set<std::string> classes;
  for (const std::filesystem::path& file : incident_files()) {
    const ExperimentConfig experiment = load_experiment(file);
    classes.insert(transfer_defects().at(experiment.point.base.transfer.defect).traits().fault_class);
  }

  CHECK(incident_files().size() >= 25);
  CHECK(classes.size() >= 14);
}
