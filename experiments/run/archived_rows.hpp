#pragma once

#include <cstdint>
#include <vector>

#include "experiments/results/table.hpp"

namespace kvarium {

/// Rows begin to end - 1 of a table, and the point they belong to.
struct PointRows {
  std::int64_t point = 0;
  /// Row of /trials that the point's trials begin at.
  std::int64_t first_trial = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Archive's form of a table of kind's columns: the dimension's column and `point` before them.
TableSchema archived_schema(const TableSchema& kind);

/// The kind's rows in the order of `parts`, as an archive holds them: numbered, with their points, and with `trial`
/// counting rows of /trials.
Table archived_table(const Table& rows, const std::vector<PointRows>& parts);

/// Inverse of archived_table for one part: rows part.begin to part.end - 1 of `archived` in the columns of `kind`.
/// Precondition: archived.schema() == archived_schema(kind).
Table kind_rows(const Table& archived, const PointRows& part, const TableSchema& kind);

}  // namespace kvarium
