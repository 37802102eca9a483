#include "experiments/run/point_times.hpp"

#include <utility>

#include "core/check.hpp"

namespace kvarium {

namespace {

TableSchema times_schema() {
  TableSchema schema{"/timing/points", "point", "When each finished point ran, how long and where", {}};
  schema.columns = {{"point", ColumnType::int64, "1", "Row of /plan/points this row belongs to"},
                    {"run", ColumnType::int64, "1", "Number of the run in /provenance: host, device and shard"},
                    {"started", ColumnType::float64, "s", "When the point began, in seconds since 1970 UTC"},
                    {"duration", ColumnType::float64, "s", "How long the point took"},
                    {"overhead", ColumnType::float64, "s",
                     "Time from the end of the point before, or the start of the run, that this point did not take"}};
  for (ColumnSchema& column : schema.columns) column.deterministic = false;
  schema.columns[1].may_be_missing = true;
  return schema;
}

}  // namespace

Table point_times_table(const std::vector<PointState>& states) {
  Table table(times_schema());
  table.reserve(states.size());
  for (std::size_t point = 0; point < states.size(); ++point) {
    const PointState& state = states[point];
    if (state.status == PointStatus::unfinished) continue;
    const Value run = state.run < 0 ? Value() : Value(state.run);
    table.append_row({point, run, state.time.started, state.time.duration, state.time.overhead});
  }
  return table;
}

void read_point_times(const std::string& place, const ArchiveContent& archive, std::vector<PointState>& states) {
  const Table* table = archive.find_table(times_schema().path);
  if (table == nullptr) return;
  KVARIUM_VALIDATE(table->schema() == times_schema(), place,
                   ": table '/timing/points' is damaged; choose another output");
  const auto numbers = [&](const char* name) { return table->column(name).values<double>(); };
  const auto points = table->column("point").values<std::int64_t>();
  const auto runs = table->column("run").values<std::int64_t>();
  for (std::size_t row = 0; row < points.size(); ++row) {
    KVARIUM_VALIDATE(points[row] >= 0 && std::cmp_less(points[row], states.size()), place,
                     ": '/timing/points' names point ", points[row], "; the archive is damaged");
    PointState& state = states[static_cast<std::size_t>(points[row])];
    state.time = {numbers("started")[row], numbers("duration")[row], numbers("overhead")[row]};
    state.run = runs[row] == missing_integer<std::int64_t>() ? -1 : runs[row];
  }
}

}  // namespace kvarium
