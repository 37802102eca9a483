#include "experiments/run/result_tables.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/check.hpp"
#include "experiments/run/result_report.hpp"

using namespace kvarium;

namespace {

KindSchema example_kind() {
  KindSchema kind;
  kind.trials = {{"error", ColumnType::float64, "1", ""}};
  kind.faults = {{"bit", ColumnType::int64, "1", ""}};
  kind.summary = {{"largest", ColumnType::float64, "1", ""}};
  return kind;
}

/// A point with `trials` trials, each with one fault whose bit tells point and trial.
PointResult example_result(std::int64_t point, std::int64_t trials) {
  PointResult result{PointStatus::passed, "", PointTables(example_kind())};
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    result.tables.trials.append_row({0.5});
    result.tables.faults.append_row({trial, 10 * point + trial});
  }
  result.tables.summary.append_row({static_cast<double>(point)});
  return result;
}

const Table& table_at(const std::vector<Table>& tables, const std::string& path) {
  for (const Table& table : tables) {
    if (table.schema().path == path) return table;
  }
  throw std::runtime_error("no table " + path);
}

}  // namespace

TEST_CASE("rows are archived in the order of points whatever order these finished in", "[experiments][run]") {
  ResultTables in_order(example_kind(), 3);
  ResultTables shuffled(example_kind(), 3);

  for (const std::int64_t point : {0, 1, 2}) in_order.record(point, example_result(point, point + 1));
  for (const std::int64_t point : {2, 0, 1}) shuffled.record(point, example_result(point, point + 1));

  CHECK(in_order.archive_tables() == shuffled.archive_tables());
}

TEST_CASE("faults name the row of /trials they belong to", "[experiments][run]") {
  ResultTables results(example_kind(), 2);
  results.record(0, example_result(0, 3));
  results.record(1, example_result(1, 2));

  const std::vector<Table> tables = results.archive_tables();

  const Table& faults = table_at(tables, "/faults");
  REQUIRE(faults.num_rows() == 5);
  CHECK(faults.row(3) == std::vector<Value>{3, 1, 3, 10});
  CHECK(table_at(tables, "/trials").row(4) == std::vector<Value>{4, 1, 0.5});
  CHECK(table_at(tables, "/summary").row(1) == std::vector<Value>{1, 1.0});
}

TEST_CASE("a kind without columns for a table gets no such table", "[experiments][run]") {
  for (const Table& table : ResultTables(example_kind(), 1).archive_tables()) {
    CHECK(table.schema().path != "/timing");
    CHECK(table.schema().path != "/timing/summary");
  }
}

TEST_CASE("an unfinished point leaves no rows", "[experiments][run]") {
  ResultTables results(example_kind(), 1);
  PointResult stopped = example_result(0, 3);
  stopped.status = PointStatus::unfinished;

  results.record(0, stopped);

  CHECK_FALSE(results.is_finished(0));
  CHECK(table_at(results.archive_tables(), "/trials").num_rows() == 0);
}

TEST_CASE("rows of another schema are refused", "[experiments][run]") {
  ResultTables results(example_kind(), 1);
  KindSchema other = example_kind();
  other.trials[0].unit = "s";

  CHECK_THROWS_AS(results.record(0, {PointStatus::passed, "", PointTables(other)}), AssertionFailure);
}

TEST_CASE("the exit code tells complete, wrong and unfinished runs apart", "[experiments][run]") {
  const auto code_of = [](std::vector<PointStatus> statuses) {
    ResultTables results(example_kind(), static_cast<std::int64_t>(statuses.size()));
    for (std::size_t point = 0; point < statuses.size(); ++point) {
      results.record(static_cast<std::int64_t>(point), {statuses[point], "", PointTables(example_kind())});
    }
    return exit_code(results);
  };

  CHECK(code_of({PointStatus::passed, PointStatus::skipped}) == 0);
  CHECK(code_of({PointStatus::passed, PointStatus::failed}) == 1);
  CHECK(code_of({PointStatus::wrong_result}) == 1);
  CHECK(code_of({PointStatus::failed, PointStatus::unfinished}) == 3);
}
