#include "experiments/run/archived_rows.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/check.hpp"

namespace kvarium {

namespace {

constexpr const char* trial_name = "trial";

/// Whether the column counts trials: the point's own in the kind's table, rows of /trials in an archive.
bool counts_trials(const TableSchema& kind, const ColumnSchema& column) {
  return column.name == trial_name && kind.dimension != trial_name;
}

bool is_deterministic(const TableSchema& kind) {
  return std::all_of(kind.columns.begin(), kind.columns.end(),
                     [](const ColumnSchema& column) { return column.deterministic; });
}

std::vector<ColumnSchema> leading_columns(const TableSchema& kind) {
  ColumnSchema point{"point", ColumnType::int64, "1", "Row of /plan/points this row belongs to"};
  ColumnSchema number{kind.dimension, ColumnType::int64, "1", "Number of the row"};
  // How many rows a timed table has may differ from run to run.
  point.deterministic = number.deterministic = is_deterministic(kind);
  if (kind.dimension == point.name) return {point};
  return {number, point};
}

Column points_column(const ColumnSchema& schema, const std::vector<PointRows>& parts) {
  std::vector<std::int64_t> points;
  for (const PointRows& part : parts) points.insert(points.end(), part.end - part.begin, part.point);
  return Column(schema, std::move(points));
}

Column numbers_column(const ColumnSchema& schema, std::size_t rows) {
  std::vector<std::int64_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), 0);
  return Column(schema, std::move(numbers));
}

Column shifted(const Column& trials, const PointRows& part, std::int64_t shift) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t trial : trials.values<std::int64_t>().subspan(part.begin, part.end - part.begin)) {
    numbers.push_back(trial + shift);
  }
  return Column(trials.schema(), std::move(numbers));
}

Column gathered(const TableSchema& kind, const Column& column, const std::vector<PointRows>& parts) {
  Column all(column.schema());
  for (const PointRows& part : parts) {
    if (counts_trials(kind, column.schema())) {
      all.append_rows(shifted(column, part, part.first_trial), 0, part.end - part.begin);
    } else {
      all.append_rows(column, part.begin, part.end);
    }
  }
  return all;
}

}  // namespace

TableSchema archived_schema(const TableSchema& kind) {
  TableSchema schema = kind;
  const std::vector<ColumnSchema> leading = leading_columns(kind);
  schema.columns.insert(schema.columns.begin(), leading.begin(), leading.end());
  return schema;
}

Table archived_table(const Table& rows, const std::vector<PointRows>& parts) {
  const TableSchema& kind = rows.schema();
  const std::vector<ColumnSchema> leading = leading_columns(kind);
  std::vector<Column> columns{points_column(leading.back(), parts)};
  if (leading.size() > 1) columns.insert(columns.begin(), numbers_column(leading.front(), columns.front().size()));
  for (const Column& column : rows.columns()) columns.push_back(gathered(kind, column, parts));
  return Table(archived_schema(kind), std::move(columns));
}

Table kind_rows(const Table& archived, const PointRows& part, const TableSchema& kind) {
  KVARIUM_EXPECT(archived.schema() == archived_schema(kind));
  std::vector<Column> columns;
  for (const ColumnSchema& schema : kind.columns) {
    const Column& column = archived.column(schema.name);
    Column rows(schema);
    if (counts_trials(kind, schema)) {
      rows = shifted(column, part, -part.first_trial);
    } else {
      rows.append_rows(column, part.begin, part.end);
    }
    columns.push_back(std::move(rows));
  }
  return Table(kind, std::move(columns));
}

}  // namespace kvarium
