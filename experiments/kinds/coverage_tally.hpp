#pragma once

#include <string>
#include <vector>

#include "experiments/kinds/coverage_counts.hpp"
#include "experiments/kinds/fault_scene.hpp"
#include "experiments/kinds/fault_watch.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// One trial of fault_coverage as /trials holds it.
struct CoverageTrial {
  TrialControl control = TrialControl::fault;
  bool is_applicable = false;
  ChecksumVerdict verdict = ChecksumVerdict::clean;
  bool is_rechecked = false;
};

/// Columns of /trials of the kind fault_coverage.
std::vector<ColumnSchema> coverage_trial_columns();

/// One checksum's part of a campaign: what it says of each fault, counted, the rows that are kept of that, and when it
/// has been asked often enough.
class CoverageTally {
 public:
  /// Sums every stored block. `scene` must outlive this. Errors: InputError for a checksum that does not fit the
  /// caches.
  CoverageTally(const PointConfig& point, const FaultScene& scene);

  const PointConfig& point() const { return point_; }
  const StopRule& stop_rule() const { return rule_; }
  /// Whether the faults end with this many: at the last one, or at a look of the stop rule that finds enough.
  bool is_enough(std::int64_t faults) const;

  /// What it says of a fault that is in place; rows are summed again in full where `is_rechecked`.
  CoverageTrial judge(const FaultRecord& record, std::int64_t trial, bool is_rechecked);
  /// What it says where nothing was injected.
  CoverageTrial judge_intact(TrialControl control) const;

  /// Counts a trial, and keeps its row while there is room: rows follow the numbers of trials without a gap, so that
  /// each replays by its row.
  void add(const CoverageTrial& trial, PointTables& tables);
  /// Runs the controls and adds the summary. Wrong where a control or a recheck failed.
  PointResult finish(PointTables tables);

 private:
  void run_controls(PointTables& tables);
  std::string problem() const;

  PointConfig point_;
  StopRule rule_;
  std::vector<std::int64_t> looks_;  ///< numbers of faults at which the rule looks
  FaultWatch watch_;
  CoverageCounts counts_;
  std::string recheck_problem_;  ///< the first difference that a recheck found
};

}  // namespace kvarium
