#pragma once

#include "experiments/kinds/coverage_counts.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/fault_scene.hpp"
#include "experiments/kinds/fault_watch.hpp"

namespace kvarium {

/// Columns of the kind fault_coverage.
KindSchema coverage_schema();

/// The trials of one point of fault_coverage: faults first, then the controls. A trial's fault is a function of the
/// stimulus and its number alone. Rows are kept of the first limits.max_recorded_trials trials, all are counted.
class CoverageCampaign {
 public:
  /// Errors: InputError for contents or a checksum that do not fit the point.
  CoverageCampaign(const PointConfig& point, const RandomKey& key);

  /// Runs all trials, or as many as the stop rule asks for. Wrong when a control or a recheck fails.
  PointResult run(const PointContext& context);
  /// One trial alone. Errors: InputError for a number that the point does not have.
  PointResult replay(std::int64_t trial);

 private:
  /// One trial as /trials holds it.
  struct Trial {
    TrialControl control = TrialControl::fault;
    bool is_applicable = false;
    ChecksumVerdict verdict = ChecksumVerdict::clean;
    bool is_rechecked = false;
  };

  Trial run_fault(std::int64_t trial, Table* faults);
  Trial run_control(TrialControl control);
  bool run_faults(const PointContext& context, PointTables& tables);
  void run_controls(PointTables& tables);
  void count(const Trial& trial);
  void record(const Trial& trial, PointTables& tables) const;
  bool is_enough(std::int64_t trials) const;
  std::int64_t faults_before(std::int64_t trial);
  StopRule stop_rule() const;

  PointConfig point_;
  RandomKey key_;
  FaultScene scene_;
  FaultWatch watch_;
  FaultInjector injector_;
  CoverageCounts counts_;
  std::string problem_;  ///< the first difference that a recheck found
};

}  // namespace kvarium
