#include "experiments/run/stored_trial.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "experiments/run/input_files.hpp"

namespace kvarium {

namespace {

/// The point that row `row` of /trials belongs to, and the row its trials begin at.
std::pair<std::int64_t, std::int64_t> locate(const ResultTables& results, std::int64_t row) {
  std::int64_t first = 0;
  for (std::size_t point = 0; point < results.states().size(); ++point) {
    const std::int64_t trials = results.states()[point].num_trials;
    if (row >= 0 && row < first + trials) return {static_cast<std::int64_t>(point), first};
    first += trials;
  }
  return {-1, first};
}

/// Rows of `table` whose column `trial` is `trial`.
Table rows_of_trial(const Table& table, std::int64_t trial) {
  Table rows(table.schema());
  if (table.num_columns() == 0) return rows;
  const std::span<const std::int64_t> trials = table.column("trial").values<std::int64_t>();
  for (std::size_t row = 0; row < trials.size(); ++row) {
    if (trials[row] == trial) rows.append_rows(table, row, row + 1);
  }
  return rows;
}

}  // namespace

StoredResults read_replayable(const std::filesystem::path& archive) {
  StoredResults stored = read_results(archive);
  check_same_inputs(archive.string(), stored.content.runs, input_files(stored.plan));
  return stored;
}

std::int64_t count_trials(const StoredResults& stored) { return locate(stored.results, -1).second; }

StoredTrial find_trial(const StoredResults& stored, const std::string& place, std::int64_t row) {
  const auto [point, first] = locate(stored.results, row);
  KVARIUM_VALIDATE(row >= 0 && point >= 0, place, ": no trial ", row, " among its ", first, "; count from 0");
  const PointTables all = stored.results.rows_of(point);
  PointTables rows(stored.schema);
  const std::int64_t trial = row - first;
  rows.trials.append_rows(all.trials, static_cast<std::size_t>(trial), static_cast<std::size_t>(trial) + 1);
  rows.faults = rows_of_trial(all.faults, trial);
  return {point, trial, std::move(rows), stored.results.state(point).choice};
}

}  // namespace kvarium
