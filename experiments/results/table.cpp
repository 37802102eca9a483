#include "experiments/results/table.hpp"

#include <utility>

#include "core/check.hpp"

namespace kvarium {

namespace {

[[noreturn]] void fail(const TableSchema& schema, const std::string& what) {
  throw AssertionFailure(concatenate("table '", schema.path, "': ", what));
}

}  // namespace

Table::Table(TableSchema schema) : schema_(std::move(schema)) {
  schema_.check();
  for (const ColumnSchema& column : schema_.columns) columns_.emplace_back(column);
}

Table::Table(TableSchema schema, std::vector<Column> columns)
    : schema_(std::move(schema)), columns_(std::move(columns)) {
  schema_.check();
  if (columns_.size() != schema_.columns.size()) fail(schema_, "as many columns as the schema has are needed");
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].schema() != schema_.columns[i]) fail(schema_, "a column does not follow the schema");
    if (columns_[i].size() != columns_.front().size()) fail(schema_, "the columns are not equally long");
  }
}

std::size_t Table::num_rows() const { return columns_.empty() ? 0 : columns_.front().size(); }

void Table::append_row(std::initializer_list<Value> values) {
  append_row(std::span<const Value>(values.begin(), values.size()));
}

void Table::append_row(std::span<const Value> values) {
  if (values.size() != columns_.size()) {
    fail(schema_, concatenate("a row has ", columns_.size(), " values, not ", values.size()));
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string refusal = columns_[i].refusal(values[i]);
    if (!refusal.empty()) {
      const ColumnSchema& column = columns_[i].schema();
      fail(schema_, concatenate("column '", column.name, "' (", to_string(column.type), ") was given ", refusal));
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].append(values[i]);
}

void Table::append_rows(const Table& other) { append_rows(other, 0, other.num_rows()); }

void Table::append_rows(const Table& other, std::size_t begin, std::size_t end) {
  if (schema_ != other.schema_) fail(schema_, "rows of another schema cannot be appended");
  if (begin > end || end > other.num_rows()) fail(schema_, "rows that do not exist cannot be appended");
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].append_rows(other.columns_[i], begin, end);
}

void Table::reserve(std::size_t rows) {
  for (Column& column : columns_) column.reserve(rows);
}

const Column& Table::column(std::string_view name) const {
  const int index = schema_.find(name);
  if (index < 0) fail(schema_, concatenate("there is no column '", name, "'"));
  return columns_[static_cast<std::size_t>(index)];
}

Value Table::value(std::string_view name, std::size_t row) const { return column(name).value(row); }

std::vector<Value> Table::row(std::size_t row) const {
  std::vector<Value> values;
  for (const Column& column : columns_) values.push_back(column.value(row));
  return values;
}

}  // namespace kvarium
