#include "experiments/results/point_tables.hpp"

#include <utility>

namespace kvarium {

namespace {

const ColumnSchema trial_column{"trial", ColumnType::int64, "1", "Row of /trials this row belongs to"};

std::vector<ColumnSchema> with_trial(std::vector<ColumnSchema> columns) {
  if (!columns.empty()) columns.insert(columns.begin(), trial_column);
  return columns;
}

TableSchema timed(TableSchema schema) {
  for (ColumnSchema& column : schema.columns) column.deterministic = false;
  return schema;
}

}  // namespace

PointTables::PointTables(const KindSchema& kind)
    : trials(TableSchema{"/trials", "trial", "Trials: one row each", kind.trials}),
      faults(TableSchema{"/faults", "fault", "Faults injected: what each one changed", with_trial(kind.faults)}),
      timing(timed({"/timing", "timing", "Measured times and what was computed from them",
                    kind.timing_has_trials ? with_trial(kind.timing) : kind.timing})),
      summary(TableSchema{"/summary", "point", "What the trials of each point come to", kind.summary, true}),
      timing_summary(
          timed({"/timing/summary", "point", "What the times of each point come to", kind.timing_summary, true})) {}

}  // namespace kvarium
