#include "experiments/run/result_tables.hpp"

#include "core/check.hpp"
#include "experiments/run/archived_rows.hpp"

namespace kvarium {

ResultTables::ResultTables(const KindSchema& schema, std::int64_t num_points)
    : schema_(schema),
      rows_(schema),
      states_(static_cast<std::size_t>(num_points)),
      ranges_(static_cast<std::size_t>(num_points)) {}

void ResultTables::record(std::int64_t point, const PointResult& result) {
  KVARIUM_EXPECT(!is_finished(point));
  if (result.status == PointStatus::unfinished) return;
  const auto index = static_cast<std::size_t>(point);
  const std::array<const Table*, 5> added = result.tables.all();
  const std::array<Table*, 5> kept = rows_.all();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::size_t begin = kept[i]->num_rows();
    kept[i]->append_rows(*added[i]);
    ranges_[index][i] = {begin, kept[i]->num_rows()};
  }
  states_[index] = {result.status, result.reason, static_cast<std::int64_t>(result.tables.trials.num_rows()),
                    result.choice};
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
