#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "experiments/results/column.hpp"
#include "experiments/results/table_schema.hpp"
#include "experiments/results/value.hpp"

namespace kvarium {

/// Rows of results, stored by column: what becomes one group of an archive.
/// Errors of all calls are mistakes in this program, not in its input: AssertionFailure names table and column.
class Table {
 public:
  explicit Table(TableSchema schema);
  /// Precondition: the columns are those of the schema and equally long.
  Table(TableSchema schema, std::vector<Column> columns);

  const TableSchema& schema() const { return schema_; }
  std::size_t num_rows() const;
  std::size_t num_columns() const { return columns_.size(); }

  /// Appends one row, one value per column in the order of the schema. Integers may stand in float64 columns, and the
  /// meaning of a flag for its number; every other mismatch throws and leaves the table as it was.
  void append_row(std::initializer_list<Value> values);
  void append_row(std::span<const Value> values);
  /// Appends every row of a table of the same schema, or rows begin to end - 1 of it.
  void append_rows(const Table& other);
  void append_rows(const Table& other, std::size_t begin, std::size_t end);
  void reserve(std::size_t rows);

  const std::vector<Column>& columns() const { return columns_; }
  const Column& column(std::string_view name) const;
  Value value(std::string_view column, std::size_t row) const;
  std::vector<Value> row(std::size_t row) const;

  bool operator==(const Table&) const = default;

 private:
  TableSchema schema_;
  std::vector<Column> columns_;
};

}  // namespace kvarium
