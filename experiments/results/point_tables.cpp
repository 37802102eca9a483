#include "experiments/results/point_tables.hpp"

#include <utility>

namespace kvarium {

namespace {

Table rows_of(std::string path, std::string dimension, std::vector<ColumnSchema> columns, bool with_trial) {
  if (with_trial && !columns.empty()) {
    columns.insert(columns.begin(), {"trial", ColumnType::int64, "1", "Row of /trials this row belongs to"});
  }
  return Table({std::move(path), std::move(dimension), "", std::move(columns)});
}

std::vector<ColumnSchema> not_deterministic(std::vector<ColumnSchema> columns) {
  for (ColumnSchema& column : columns) column.deterministic = false;
  return columns;
}

}  // namespace

PointTables::PointTables(const KindSchema& schema)
    : trials(rows_of("/trials", "trial", schema.trials, false)),
      faults(rows_of("/faults", "fault", schema.faults, true)),
      timing(rows_of("/timing", "timing", not_deterministic(schema.timing), schema.timing_has_trials)),
      summary(rows_of("/summary", "point", schema.summary, false)),
      timing_summary(rows_of("/timing/summary", "point", not_deterministic(schema.timing_summary), false)) {}

}  // namespace kvarium
