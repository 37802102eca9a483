#include "experiments/run/result_tables.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "experiments/run/archived_rows.hpp"

namespace kvarium {

ResultTables::ResultTables(const KindSchema& schema, std::int64_t num_points)
    : schema_(schema),
      rows_(schema),
      states_(static_cast<std::size_t>(num_points)),
      ranges_(static_cast<std::size_t>(num_points)) {}

std::int64_t ResultTables::num_finished() const {
  return std::count_if(states_.begin(), states_.end(),
                       [](const PointState& state) { return state.status != PointStatus::unfinished; });
}

void ResultTables::record(std::int64_t point, const PointResult& result, const PointTime& time, std::int64_t run) {
  Ranges ranges;
  const std::array<const Table*, 5> tables = result.tables.all();
  for (std::size_t i = 0; i < tables.size(); ++i) ranges[i] = {0, tables[i]->num_rows()};
  record(point, {result.status, result.reason, 0, result.choice, time, run}, result.tables, ranges);
}

void ResultTables::record(std::int64_t point, PointState state, const PointTables& source, const Ranges& rows) {
  KVARIUM_EXPECT(!is_finished(point));
  if (state.status == PointStatus::unfinished) return;
  const auto index = static_cast<std::size_t>(point);
  const std::array<const Table*, 5> added = source.all();
  const std::array<Table*, 5> kept = rows_.all();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::size_t begin = kept[i]->num_rows();
    kept[i]->append_rows(*added[i], rows[i].begin, rows[i].end);
    ranges_[index][i] = {begin, kept[i]->num_rows()};
  }
  state.num_trials = static_cast<std::int64_t>(rows.front().end - rows.front().begin);
  states_[index] = std::move(state);
}

PointTables ResultTables::rows_of(std::int64_t point) const {
  PointTables rows(schema_);
  const std::array<Table*, 5> wanted = rows.all();
  const std::array<const Table*, 5> kept = rows_.all();
  const Ranges& ranges = ranges_.at(static_cast<std::size_t>(point));
  for (std::size_t i = 0; i < kept.size(); ++i) wanted[i]->append_rows(*kept[i], ranges[i].begin, ranges[i].end);
  return rows;
}

std::vector<Table> ResultTables::archive_tables() const {
  std::vector<Table> tables;
  const std::array<const Table*, 5> kept = rows_.all();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]->num_columns() == 0) continue;
    std::vector<PointRows> parts;
    std::int64_t first_trial = 0;
    for (std::size_t point = 0; point < states_.size(); ++point) {
      const Range& range = ranges_[point][i];
      parts.push_back({static_cast<std::int64_t>(point), first_trial, range.begin, range.end});
      first_trial += states_[point].num_trials;
    }
    tables.push_back(archived_table(*kept[i], parts));
  }
  return tables;
}

}  // namespace kvarium
