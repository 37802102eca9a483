#include "experiments/run/restore_results.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "experiments/results/choice_columns.hpp"
#include "experiments/run/archived_rows.hpp"
#include "experiments/run/point_index.hpp"
#include "experiments/run/point_times.hpp"

namespace kvarium {

namespace {

/// The archive's table at the path of `kind`, or null when the kind has no columns for it.
const Table* checked_table(const std::string& place, const ArchiveContent& archive, const TableSchema& kind) {
  if (kind.columns.empty()) return nullptr;
  const Table* table = archive.find_table(kind.path);
  KVARIUM_VALIDATE(table != nullptr, place, ": table '", kind.path, "' is missing; choose another output");
  KVARIUM_VALIDATE(table->schema() == archived_schema(kind), place, ": table '", kind.path,
                   "' has other columns than this version writes; choose another output");
  return table;
}

/// Rows of a point; rows of one point follow each other.
PointRows rows_of_point(const Table* archived, std::int64_t point, std::int64_t first_trial) {
  if (archived == nullptr) return {point, first_trial, 0, 0};
  const std::span<const std::int64_t> points = archived->column("point").values<std::int64_t>();
  const auto [begin, end] = std::equal_range(points.begin(), points.end(), point);
  return {point, first_trial, static_cast<std::size_t>(begin - points.begin()),
          static_cast<std::size_t>(end - points.begin())};
}

/// Reads the points of one archive.
class Restorer {
 public:
  Restorer(const std::string& place, const ArchiveContent& archive, const KindSchema& schema)
      : schema_(schema), empty_(schema) {
    const std::array<const Table*, 5> kinds = std::as_const(empty_).all();
    for (std::size_t i = 0; i < kinds.size(); ++i) archived_[i] = checked_table(place, archive, kinds[i]->schema());
  }

  /// Everything of the archive's point `point`, whose trials begin at row `first_trial`.
  PointResult point(std::int64_t point, std::int64_t first_trial, const PointState& state) const {
    PointResult result{state.status, state.reason, PointTables(schema_), state.choice};
    const std::array<Table*, 5> wanted = result.tables.all();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (archived_[i] == nullptr) continue;
      *wanted[i] = kind_rows(*archived_[i], rows_of_point(archived_[i], point, first_trial), wanted[i]->schema());
    }
    return result;
  }

 private:
  const KindSchema& schema_;
  PointTables empty_;
  std::array<const Table*, 5> archived_{};
};

/// The choices of a plan that leaves variants open.
void check_choices(const std::string& place, const Table& points, const Plan& plan) {
  if (!plan.leaves_variants_open()) return;
  for (const ColumnSchema& wanted : choice_columns()) {
    const int column = points.schema().find(wanted.name);
    KVARIUM_VALIDATE(column >= 0 && points.schema().columns[static_cast<std::size_t>(column)] == wanted, place,
                     ": '/plan/points/", wanted.name, "' is missing or damaged; choose another output");
  }
}

const Table& checked_points(const std::string& place, const ArchiveContent& archive) {
  const Table* points = archive.find_table("/plan/points");
  KVARIUM_VALIDATE(points != nullptr, place, ": table '/plan/points' is missing; choose another output");
  for (const auto& [name, type] : {std::pair{"id", ColumnType::uint64}, std::pair{"status", ColumnType::int8},
                                   std::pair{"reason", ColumnType::text}, std::pair{"trials", ColumnType::int64}}) {
    const int column = points->schema().find(name);
    KVARIUM_VALIDATE(column >= 0 && points->schema().columns[static_cast<std::size_t>(column)].type == type, place,
                     ": '/plan/points/", name, "' is missing or damaged; choose another output");
  }
  return *points;
}

PointState state_at(const std::string& place, const Table& points, std::size_t row, const Plan& plan) {
  const std::int8_t status = points.column("status").values<std::int8_t>()[row];
  KVARIUM_VALIDATE(status >= 0 && static_cast<std::size_t>(status) < point_status_names().size(), place,
                   ": '/plan/points/status' holds ", int{status}, " at row ", row, "; the archive is damaged");
  return {static_cast<PointStatus>(status), points.column("reason").values<std::string>()[row],
          points.column("trials").values<std::int64_t>()[row],
          plan.leaves_variants_open() ? archived_choice(points, row) : std::nullopt};
}

std::vector<PointState> archived_states(const std::string& place, const ArchiveContent& archive, const Table& points,
                                        const Plan& plan) {
  std::vector<PointState> states;
  for (std::size_t row = 0; row < points.num_rows(); ++row) states.push_back(state_at(place, points, row, plan));
  read_point_times(place, archive, states);
  return states;
}

}  // namespace

ResultTables restore_results(const std::string& place, const ArchiveContent& archive, const Plan& plan,
                             const KindSchema& schema) {
  const Table& points = checked_points(place, archive);
  check_choices(place, points, plan);
  const Restorer restorer(place, archive, schema);
  const std::vector<PointState> states = archived_states(place, archive, points, plan);
  const PointIndex index(plan);
  ResultTables results(schema, plan.num_points());
  std::int64_t first_trial = 0;
  for (std::size_t row = 0; row < states.size(); ++row) {
    const PointState& state = states[row];
    const auto point = index.find(points.column("id").values<std::uint64_t>()[row]);
    KVARIUM_VALIDATE(point.has_value(), place, ": point ", row, " is not in the plan; the archive is damaged");
    KVARIUM_VALIDATE(!results.is_finished(*point), place, ": point ", row,
                     " stands in '/plan/points' twice; the archive is damaged");
    const PointResult result = restorer.point(static_cast<std::int64_t>(row), first_trial, state);
    KVARIUM_VALIDATE(static_cast<std::int64_t>(result.tables.trials.num_rows()) == state.num_trials, place, ": point ",
                     row, " has ", result.tables.trials.num_rows(), " trials, not ", state.num_trials,
                     "; the archive is damaged");
    results.record(*point, result, state.time, state.run);
    first_trial += state.num_trials;
  }
  return results;
}

}  // namespace kvarium
