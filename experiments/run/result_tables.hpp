#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "experiments/results/point_tables.hpp"
#include "experiments/run/points_table.hpp"

namespace kvarium {

/// Results of all finished points of a plan, in whatever order they came.
class ResultTables {
 public:
  ResultTables(const KindSchema& schema, std::int64_t num_points);

  const std::vector<PointState>& states() const { return states_; }
  bool is_finished(std::int64_t point) const { return state(point).status != PointStatus::unfinished; }
  std::int64_t num_finished() const;
  const PointState& state(std::int64_t point) const { return states_.at(static_cast<std::size_t>(point)); }

  /// Rows begin to end - 1 of a table.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Ranges of one point in each table, in the order of PointTables::all().
  using Ranges = std::array<Range, 5>;

  /// Keeps what a point produced, in which run; an unfinished one leaves no trace.
  /// Errors: AssertionFailure when its tables are not of the kind's schema. Precondition: the point is not finished.
  void record(std::int64_t point, const PointResult& result, const PointTime& time = {}, std::int64_t run = -1);

  /// The same of rows that stand among those of other points; `state.num_trials` is counted here.
  void record(std::int64_t point, PointState state, const PointTables& source, const Ranges& rows);

  /// Rows of one point; none of an unfinished one.
  PointTables rows_of(std::int64_t point) const;

  /// The tables that an archive holds beside /plan/points, in the order of points whatever order they came in; those
  /// the kind has no columns for are left out.
  std::vector<Table> archive_tables() const;

 private:
  KindSchema schema_;
  PointTables rows_;
  std::vector<PointState> states_;
  std::vector<Ranges> ranges_;
};

}  // namespace kvarium
