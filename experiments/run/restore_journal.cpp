#include "experiments/run/restore_journal.hpp"

#include <utility>

#include "experiments/journal/journal_schema.hpp"
#include "experiments/results/choice_columns.hpp"
#include "experiments/run/point_index.hpp"

namespace kvarium {

namespace {

PointState state_at(const Table& points, std::size_t row, bool has_choice, std::int64_t run) {
  const auto number = [&](const char* name) { return points.column(name).values<double>()[row]; };
  PointState state;
  state.status = static_cast<PointStatus>(points.column("status").values<std::int8_t>()[row]);
  state.reason = points.column("reason").values<std::string>()[row];
  if (has_choice) state.choice = archived_choice(points, row);
  state.time = {number("started"), number("duration"), number("overhead")};
  state.run = run;
  return state;
}

ResultTables::Ranges ranges_at(const Table& points, std::size_t row) {
  ResultTables::Ranges ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto first = static_cast<std::size_t>(points.column(first_row_column(i)).values<std::int64_t>()[row]);
    const auto count = static_cast<std::size_t>(points.column(num_rows_column(i)).values<std::int64_t>()[row]);
    ranges[i] = {first, first + count};
  }
  return ranges;
}

}  // namespace

std::int64_t restore_journal(const JournalRows& journal, const Plan& plan, std::int64_t run, ResultTables& results) {
  const PointIndex index(plan);
  const auto ids = journal.points.column("id").values<std::uint64_t>();
  std::int64_t added = 0;
  for (std::size_t row = 0; row < journal.is_whole.size(); ++row) {
    if (!journal.is_whole[row]) continue;
    const std::optional<std::int64_t> point = index.find(ids[row]);
    if (!point || results.is_finished(*point)) continue;
    results.record(*point, state_at(journal.points, row, plan.leaves_variants_open(), run), journal.tables,
                   ranges_at(journal.points, row));
    ++added;
  }
  return added;
}

}  // namespace kvarium
