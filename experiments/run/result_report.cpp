#include "experiments/run/result_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "experiments/commands/text_table.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/results/choice_columns.hpp"

namespace kvarium {

namespace {

constexpr std::int64_t most_rows = 60;

/// A column of a summary, with its interval's bounds where it has them.
struct ShownColumn {
  std::string name;
  std::string low;
  std::string high;
};

/// `name` without the ending, or nothing when it ends otherwise.
std::optional<std::string> without_ending(const std::string& name, std::string_view ending) {
  if (!name.ends_with(ending)) return {};
  return name.substr(0, name.size() - ending.size());
}

ShownColumn shown_column(const TableSchema& schema, const std::string& name) {
  const std::string stem = without_ending(name, "_rate").value_or(name);
  if (schema.find(stem + "_low") < 0 || schema.find(stem + "_high") < 0) return {name, "", ""};
  return {name, stem + "_low", stem + "_high"};
}

/// The columns that the kind of experiment wants seen (`printed`; empty: all but the bounds of intervals).
std::vector<ShownColumn> shown_columns(const Table& table, const std::vector<std::string>& printed) {
  std::vector<ShownColumn> shown;
  for (const ColumnSchema& column : table.schema().columns) {
    const bool is_bound = without_ending(column.name, "_low") || without_ending(column.name, "_high");
    const bool is_wanted =
        printed.empty() ? !is_bound : std::find(printed.begin(), printed.end(), column.name) != printed.end();
    if (is_wanted) shown.push_back(shown_column(table.schema(), column.name));
  }
  return shown;
}

std::string cell_text(const Column& column, std::size_t row) {
  const Value value = column.value(row);
  const auto* number = std::get_if<double>(&value.storage());
  return number == nullptr ? column.text(row) : fmt::format("{:.4g}", *number);
}

void append_cells(std::vector<std::string>& cells, const Table& table, const std::vector<std::string>& printed) {
  for (const ShownColumn& shown : shown_columns(table, printed)) {
    if (table.num_rows() == 0) {
      cells.emplace_back("-");
      continue;
    }
    std::string text = cell_text(table.column(shown.name), 0);
    if (!shown.low.empty()) {
      text += fmt::format(" [{}, {}]", cell_text(table.column(shown.low), 0), cell_text(table.column(shown.high), 0));
    }
    cells.push_back(std::move(text));
  }
}

std::string heading(const Table& table, const ShownColumn& shown) {
  const std::string& unit = table.column(shown.name).schema().unit;
  return unit.empty() || unit == "1" ? shown.name : fmt::format("{} ({})", shown.name, unit);
}

std::vector<std::string> printed_columns(const Plan& plan) {
  return experiment_kinds().at(plan.experiment().point.kind).schema().printed;
}

std::vector<std::string> headings(const Plan& plan, const PointTables& tables) {
  std::vector<std::string> headings{"point"};
  for (const Field* field : plan.swept_fields()) headings.push_back(field->path);
  headings.insert(headings.end(), {"status", "trials"});
  if (plan.leaves_variants_open()) headings.emplace_back("chosen");
  for (const Table* table : {&tables.summary, &tables.timing_summary}) {
    for (const ShownColumn& shown : shown_columns(*table, printed_columns(plan)))
      headings.push_back(heading(*table, shown));
  }
  return headings;
}

std::vector<std::string> cells_of(const Plan& plan, const ResultTables& results, std::int64_t point) {
  std::vector<std::string> cells{fmt::format("{}", point)};
  for (const FieldValue& value : plan.swept_values(point)) cells.push_back(to_string(value));
  const PointState& state = results.state(point);
  cells.insert(cells.end(), {to_string(state.status), fmt::format("{}", state.num_trials)});
  if (plan.leaves_variants_open()) cells.push_back(state.choice ? choice_text(*state.choice) : "-");
  const PointTables tables = results.rows_of(point);
  const std::vector<std::string> printed = printed_columns(plan);
  append_cells(cells, tables.summary, printed);
  append_cells(cells, tables.timing_summary, printed);
  return cells;
}

std::string points_text(std::size_t count) { return count == 1 ? "1 point" : fmt::format("{} points", count); }

/// Drops the columns that hold no number in any row: what a device of another kind would have measured.
void drop_unknown(std::vector<std::vector<std::string>>& rows) {
  for (std::size_t column = rows.front().size(); column-- > 0;) {
    const auto is_unknown = [&](const std::vector<std::string>& row) {
      return row[column] == "nan" || row[column] == "-";
    };
    const bool has_nan =
        std::any_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return row[column] == "nan"; });
    if (!has_nan || !std::all_of(rows.begin() + 1, rows.end(), is_unknown)) continue;
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

}  // namespace

std::string reasons_text(const ResultTables& results) {
  std::map<std::pair<PointStatus, std::string>, std::vector<std::size_t>> reasons;
  for (std::size_t point = 0; point < results.states().size(); ++point) {
    const PointState& state = results.states()[point];
    if (!state.reason.empty()) reasons[{state.status, state.reason}].push_back(point);
  }
  std::string text;
  for (const auto& [key, points] : reasons) {
    text += fmt::format("{} {} (first: {}): {}\n", points_text(points.size()), to_string(key.first), points.front(),
                        key.second);
  }
  return text;
}

std::string results_text(const Plan& plan, const ResultTables& results) {
  std::vector<std::vector<std::string>> rows{headings(plan, results.rows_of(0))};
  const std::int64_t shown = std::min(plan.num_points(), most_rows);
  for (std::int64_t point = 0; point < shown; ++point) rows.push_back(cells_of(plan, results, point));
  drop_unknown(rows);
  TextTable table(rows.front());
  for (std::size_t row = 1; row < rows.size(); ++row) table.add(rows[row]);
  std::string text = table.text();
  if (shown < plan.num_points()) text += fmt::format("... {} more points in the archive\n", plan.num_points() - shown);
  return text + reasons_text(results);
}

std::string status_counts(const std::vector<PointState>& states) {
  std::array<std::int64_t, 5> counts{};
  for (const PointState& state : states) ++counts.at(static_cast<std::size_t>(state.status));
  std::vector<std::string> texts;
  for (std::size_t status = 0; status < counts.size(); ++status) {
    if (counts[status] > 0) texts.push_back(fmt::format("{} {}", counts[status], point_status_names()[status]));
  }
  return join(texts);
}

int exit_code(const ResultTables& results) {
  const auto has = [&](PointStatus status) {
    return std::any_of(results.states().begin(), results.states().end(),
                       [&](const PointState& state) { return state.status == status; });
  };
  if (has(PointStatus::unfinished)) return 3;
  return has(PointStatus::failed) || has(PointStatus::wrong_result) ? 1 : 0;
}

std::string archive_text(const std::filesystem::path& path) {
  return fmt::format(
      "archive: {0}\n"
      "look at it with: kvarium inspect {0}\n"
      "in Python: import kvarium; kvarium.open(\"{0}\").summary()\n",
      path.string());
}

}  // namespace kvarium
