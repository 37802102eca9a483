#include "experiments/run/companion_points.hpp"

#include <catch2/catch_test_macros.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/load_experiment.hpp"
#include "experiments/run/point_runner.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/commands/captured_output.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

/// Two faults under three checksums, the checksum slowest: points of one fault do not stand side by side.
const std::string coverage_text =
    "schema: 1\nname: shared\nkind: fault_coverage\nseed: 7\nreplicates: 40\n"
    "base:\n"
    "  cache: {head_size: 16, num_kv_heads: 2}\n"
    "  batch: {num_sequences: 2, context_length: 40}\n"
    "sweep:\n"
    "  grid:\n"
    "    checksum.family: [weighted_sum, crc32c, xor_fold]\n"
    "    fault.model: [single_bit_flip, stale_block]\n";

Plan coverage_plan() { return Plan(parse_experiment({coverage_text, "shared.yaml", ".", {}})); }

std::vector<std::string> checksums_of(const std::vector<PointConfig>& points) {
  std::vector<std::string> names;
  for (const PointConfig& point : points) names.push_back(point.base.checksum.family);
  return names;
}

}  // namespace

TEST_CASE("companions are later points with the same faults that have not finished", "[experiments][run]") {
  const Plan plan = coverage_plan();
  const KindSchema schema = experiment_kinds().at("fault_coverage").schema();
  ResultTables results(schema, plan.num_points());
  CompanionPoints companions(plan);

  CHECK(checksums_of(companions.after(0, results)) == std::vector<std::string>{"crc32c", "xor_fold"});
  CHECK(checksums_of(companions.after(3, results)) == std::vector<std::string>{"xor_fold"});
  CHECK(companions.after(5, results).empty());

  results.record(2, {PointStatus::passed, "", PointTables(schema)});
  CHECK(checksums_of(companions.after(0, results)) == std::vector<std::string>{"xor_fold"});
}

TEST_CASE("an archive holds what its points give one by one", "[experiments][run]") {
  const TemporaryFolder folder;
  write_bytes(folder / "shared.yaml", coverage_text);
  const CommandResult run =
      run_program({"run", (folder / "shared.yaml").string(), "--output", (folder / "a.kv.h5").string()});
  REQUIRE(run.exit_code == 0);
  const ArchiveContent content = read_archive(folder / "a.kv.h5");

  const Plan plan = coverage_plan();
  const ExperimentKind& kind = experiment_kinds().at("fault_coverage");
  ResultTables alone(kind.schema(), plan.num_points());
  for (std::int64_t point = 0; point < plan.num_points(); ++point) {
    alone.record(point, run_point(plan, point, kind, {}));
  }

  for (const Table& table : alone.archive_tables()) {
    CAPTURE(table.schema().path);
    CHECK(*content.find_table(table.schema().path) == table);
  }
}
