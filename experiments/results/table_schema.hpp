#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvarium {

/// How a column is stored. Text is UTF-8.
enum class ColumnType : std::uint8_t { int8, int64, uint64, float64, text };

/// Names in the order of the enumerators.
const std::vector<std::string>& column_type_names();
/// The name of a type.
std::string to_string(ColumnType type);

/// What one column holds.
struct ColumnSchema {
  std::string name;
  ColumnType type = ColumnType::float64;
  /// Unit as UDUNITS writes it ("s", "byte", "byte s-1"); "1" for pure numbers, empty for flags and texts.
  std::string unit;
  /// One line for readers of the archive.
  std::string description;
  /// For int8: meaning of 0, 1, 2, ... ; words without blanks. A row may name the meaning instead of its number.
  std::vector<std::string> flag_meanings = {};
  /// Whether two runs of the same plan give the same bytes; false in tables of times and
  /// for choices that a device makes.
  bool deterministic = true;
  /// Whether an integer column may hold missing values (its reserved extreme then means missing; readers that decode
  /// it, such as xarray, turn the column into floats). Floats (NaN) and texts ("") may always be missing.
  bool may_be_missing = false;

  bool operator==(const ColumnSchema&) const = default;
};

/// Where a table stands in an archive and what its columns hold.
struct TableSchema {
  /// Path of the HDF5 group, "/trials" for example.
  std::string path;
  /// Name of the dimension the rows run along; in an archive the int64 column of that name holds its coordinates.
  std::string dimension;
  std::string description;
  std::vector<ColumnSchema> columns;
  /// Whether the table can be computed again from other tables.
  bool derived = false;

  bool operator==(const TableSchema&) const = default;

  /// Index of the column, or -1.
  int find(std::string_view name) const;
  /// Errors: AssertionFailure for empty or duplicate names, or flag meanings on a column that is not int8.
  void check() const;
};

}  // namespace kvarium
