#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/journal/journal_header.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// The points of a journal that are whole, and what could not be read.
struct JournalRows {
  Table points;        ///< columns as JournalSchema::points
  PointTables tables;  ///< all rows of all points
  /// Of each row of `points`, whether it and all its rows are as they were written. The others mean nothing.
  std::vector<bool> is_whole;
  /// What was cut, one line each.
  std::vector<std::string> cuts;
  /// Whether a point that had been committed was cut: what is left of its rows stands in the journal alone.
  bool is_damaged = false;
};

/// What a journal says of itself. Errors: InputError for a missing, foreign or damaged file, naming it.
JournalHeader read_journal_header(const std::filesystem::path& path);

/// Its rows, in whatever state its writer left it, or while it is being written.
/// Errors: InputError as above, or when it holds other columns than the kind has now.
JournalRows read_journal_rows(const std::filesystem::path& path, const KindSchema& kind);

}  // namespace kvarium
