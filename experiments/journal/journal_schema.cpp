#include "experiments/journal/journal_schema.hpp"

#include <algorithm>

#include "experiments/results/choice_columns.hpp"
#include "experiments/results/point_status.hpp"

namespace kvarium {

namespace {

constexpr std::array<const char*, num_kind_tables> table_names{"trials", "faults", "timing", "summary",
                                                               "timing_summary"};

TableSchema points_schema() {
  TableSchema schema{"/journal/points", "record", "Finished points, in the order they finished", {}};
  schema.columns = {{"id", ColumnType::uint64, "1", "Identity of the point: hash of its resolved parameters"},
                    {"status", ColumnType::int8, "", "How the point ended", point_status_names()},
                    {"reason", ColumnType::text, "", "Why the point did not pass; empty when it did"},
                    {"started", ColumnType::float64, "s", "When the point began, in seconds since 1970 UTC"},
                    {"duration", ColumnType::float64, "s", "How long it took"},
                    {"overhead", ColumnType::float64, "s", "Time since the point before that no point took"}};
  for (std::size_t i = 0; i < num_kind_tables; ++i) {
    schema.columns.push_back({first_row_column(i), ColumnType::int64, "1", "First of the point's rows"});
    schema.columns.push_back({num_rows_column(i), ColumnType::int64, "1", "Number of the point's rows"});
  }
  for (ColumnSchema& column : choice_columns()) schema.columns.push_back(std::move(column));
  return schema;
}

}  // namespace

JournalSchema::JournalSchema(const KindSchema& kind) : points(points_schema()) {
  const PointTables empty(kind);
  for (const Table* table : empty.all()) tables.emplace_back(table->schema());
}

std::string journal_table_path(const std::string& table_path) {
  std::string name = table_path.substr(1);
  std::replace(name.begin(), name.end(), '/', '_');
  return "/journal/" + name;
}

std::string first_row_column(std::size_t index) { return std::string("first_") + table_names.at(index); }
std::string num_rows_column(std::size_t index) { return std::string("num_") + table_names.at(index); }

}  // namespace kvarium
