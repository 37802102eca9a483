#include "experiments/results/table_schema.hpp"

#include <set>

#include "core/check.hpp"

namespace kvarium {

namespace {

void check_column(const TableSchema& table, const ColumnSchema& column) {
  const std::string place = concatenate("table '", table.path, "', column '", column.name, "': ");
  if (column.name.empty()) throw AssertionFailure(place + "a column needs a name");
  if (column.type != ColumnType::int8 && !column.flag_meanings.empty()) {
    throw AssertionFailure(place + "only int8 columns have flag meanings");
  }
  for (const std::string& meaning : column.flag_meanings) {
    // CF separates the meanings by blanks.
    if (meaning.empty() || meaning.find(' ') != std::string::npos) {
      throw AssertionFailure(place + "a flag meaning is one word, not '" + meaning + "'");
    }
  }
}

}  // namespace

const std::vector<std::string>& column_type_names() {
  static const std::vector<std::string> names{"int8", "int64", "uint64", "float64", "text"};
  return names;
}

std::string to_string(ColumnType type) { return column_type_names().at(static_cast<std::size_t>(type)); }

int TableSchema::find(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

void TableSchema::check() const {
  std::set<std::string> names;
  for (const ColumnSchema& column : columns) {
    check_column(*this, column);
    if (!names.insert(column.name).second) {
      throw AssertionFailure(concatenate("table '", path, "' has two columns '", column.name, "'"));
    }
  }
}

}  // namespace kvarium
