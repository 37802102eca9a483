#include "tests/experiments/run/small_experiment.hpp"

#include <algorithm>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/plan/load_experiment.hpp"
#include "experiments/results/point_status.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"

namespace kvarium::test {

namespace {

Table rows_before(const Table& table, std::int64_t first_lost) {
  Table kept(table.schema());
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    if (table.column("point").values<std::int64_t>()[row] < first_lost) kept.append_rows(table, row, row + 1);
  }
  return kept;
}

Table points_unfinished_from(const Table& points, std::size_t first_lost) {
  Table changed(points.schema());
  for (std::size_t row = 0; row < points.num_rows(); ++row) {
    std::vector<Value> values = points.row(row);
    if (row >= first_lost) {
      values[static_cast<std::size_t>(points.schema().find("status"))] = PointStatus::unfinished;
      values[static_cast<std::size_t>(points.schema().find("reason"))] = "";
      values[static_cast<std::size_t>(points.schema().find("trials"))] = 0;
    }
    changed.append_row(values);
  }
  return changed;
}

}  // namespace

Plan small_plan() { return Plan(parse_experiment({small_experiment, "small.yaml", ".", {}})); }

CommandResult run_small(const std::filesystem::path& output, const std::vector<std::string>& arguments) {
  const std::filesystem::path file = output.parent_path() / "small.yaml";
  write_bytes(file, small_experiment);
  std::vector<std::string> all{"run", file.string(), "--output", output.string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program(all);
}

std::vector<Table> deterministic_tables(const std::filesystem::path& archive) {
  std::vector<Table> tables = read_archive(archive).tables;
  std::erase_if(tables, [](const Table& table) {
    const std::vector<ColumnSchema>& columns = table.schema().columns;
    return !std::all_of(columns.begin(), columns.end(), [](const ColumnSchema& column) { return column.deterministic; });
  });
  return tables;
}

void forget_last_points(const std::filesystem::path& archive, int count) {
  ArchiveContent content = read_archive(archive);
  const auto first_lost = static_cast<std::int64_t>(content.find_table("/plan/points")->num_rows()) - count;
  for (Table& table : content.tables) {
    table = table.schema().path == "/plan/points" ? points_unfinished_from(table, static_cast<std::size_t>(first_lost))
                                                  : rows_before(table, first_lost);
  }
  content.complete = false;
  write_archive(archive, content);
}

}  // namespace kvarium::test
