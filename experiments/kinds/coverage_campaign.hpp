#pragma once

#include <memory>
#include <vector>

#include "experiments/kinds/coverage_tally.hpp"
#include "experiments/kinds/experiment_kind.hpp"

namespace kvarium {

/// Columns of the kind fault_coverage.
KindSchema coverage_schema();

/// The trials of one point of fault_coverage, and of points that differ from it in their checksum alone: faults first,
/// then the controls. A trial's fault is a function of the stimulus and its number alone, so each is injected once and
/// shown to every checksum that has not seen enough; what a checksum says does not depend on the others. Rows are kept
/// of the first limits.max_recorded_trials trials, all are counted.
class CoverageCampaign {
 public:
  /// `others`: checksums beside the point's own.
  /// Errors: InputError for contents or a checksum that do not fit the point.
  CoverageCampaign(const PointConfig& point, const RandomKey& key, const std::vector<ChecksumConfig>& others = {});

  /// Runs all trials, or as many as the stop rules ask for. Results of the point and then of each other checksum; of an
  /// unfinished point alone where it is told to stop. Wrong are those of which a control or a recheck fails.
  std::vector<PointResult> run_all(const PointContext& context);
  /// The same for the point's own checksum alone.
  PointResult run(const PointContext& context) { return run_all(context).front(); }
  /// One trial of the point alone. Errors: InputError for a number that the point does not have.
  PointResult replay(std::int64_t trial);

 private:
  /// A checksum, what it has said, and the faults it was shown.
  struct Part {
    std::unique_ptr<CoverageTally> tally;
    PointTables tables;
  };

  bool run_faults(const PointContext& context);
  void run_fault(std::int64_t trial, const std::vector<Part*>& parts);
  std::int64_t faults_before(std::int64_t trial);

  PointConfig point_;
  RandomKey key_;
  FaultScene scene_;
  FaultInjector injector_;
  std::vector<Part> parts_;
};

}  // namespace kvarium
