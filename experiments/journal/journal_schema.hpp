#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/journal/row_layout.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// Version of the journal's layout (semantic versioning): a reader refuses another major number.
inline constexpr std::string_view journal_schema_version = "1.0.0";

inline constexpr std::size_t num_kind_tables = 5;

/// Dataset of the characters of all texts, UTF-8, one after the other.
inline constexpr const char* journal_characters = "/journal/characters";

/// The tables of a kind's journal: /journal/points, one row a finished point, and the kind's own as PointTables::all()
/// orders them. A point's rows stand together; its row in `points` says where.
struct JournalSchema {
  explicit JournalSchema(const KindSchema& kind);

  RowLayout points;
  std::vector<RowLayout> tables;  ///< [num_kind_tables]
};

/// Path of a kind's table in a journal: "/journal/trials" for "/trials", "/journal/timing_summary" for
/// "/timing/summary".
std::string journal_table_path(const std::string& table_path);

/// Columns of `points` that say where a point's rows of kind table `index` begin, and how many there are.
std::string first_row_column(std::size_t index);
std::string num_rows_column(std::size_t index);

}  // namespace kvarium
