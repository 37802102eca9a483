#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/point_status.hpp"
#include "experiments/results/table.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// How points are summed up over one side of a crossed table.
enum class Summing : std::uint8_t { total, median };

/// A summary column that belongs to one side of a crossed table.
struct ReportedCost {
  std::string column;
  Summing summing = Summing::median;
};

/// Tables of a report: faults down, whatever else is swept across, a share of each summary in the cells. Without
/// shares a report has one row a point.
struct ReportSchema {
  std::vector<std::string> shares;  ///< columns that end with _rate
  std::vector<ReportedCost> costs;  ///< of what stands across, over all its faults
};

/// Columns a kind of experiment adds to the common ones; none: the archive has no such table.
/// The archive's tables begin with `point`; rows of `faults` (and of `timing` where timing_has_trials) then name their
/// `trial`. Nothing that was timed stands in trials, faults or summary; medians of times belong to timing_summary.
struct KindSchema {
  std::vector<ColumnSchema> trials;
  std::vector<ColumnSchema> faults;
  std::vector<ColumnSchema> timing;
  std::vector<ColumnSchema> summary;
  std::vector<ColumnSchema> timing_summary;
  /// Whether timing rows belong to a trial (column `trial`) rather than to the point alone.
  bool timing_has_trials = false;
  /// Columns of the summaries that a run's printed table shows; empty: all. Archives hold every column.
  std::vector<std::string> printed = {};
  /// What `kvarium report` makes of an archive; see ReportSchema.
  ReportSchema report = {};
};

/// What one point produced, in the kind's columns. Where rows name their trial, that is the first column (`trial`,
/// int64) and counts the point's own trials from 0; the archive holds the row number in /trials instead.
struct PointTables {
  /// Empty tables of the kind's columns.
  explicit PointTables(const KindSchema& kind);

  Table trials;
  Table faults;
  Table timing;
  /// One row, none when the point did not run; likewise timing_summary.
  Table summary;
  Table timing_summary;

  std::array<Table*, 5> all() { return {&trials, &faults, &timing, &summary, &timing_summary}; }
  std::array<const Table*, 5> all() const { return {&trials, &faults, &timing, &summary, &timing_summary}; }

  bool operator==(const PointTables&) const = default;
};

/// Rows of one point and how it ended.
struct PointResult {
  PointStatus status = PointStatus::passed;
  /// Why it was skipped, failed or wrong; empty when passed.
  std::string reason;
  PointTables tables;
  /// What ran, where the plan leaves variants open; nothing of a point that did not run.
  std::optional<VariantChoice> choice = std::nullopt;
};

}  // namespace kvarium
