#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "experiments/kinds/fault_campaign.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// Columns of the kind fault_impact.
KindSchema fault_impact_schema();

/// Appends a trial's row to /trials and, if it injected a fault, one to /faults.
void append_trial(PointTables& tables, std::int64_t trial, const FaultTrial& outcome, const FaultTarget& target);

/// How the trials of a point ended. Rates are over applicable faults.
struct FaultCounts {
  std::array<std::int64_t, 5> effects{};   ///< by FaultEffect, faults only
  std::array<std::int64_t, 7> verdicts{};  ///< by ChecksumVerdict, applicable faults only
  std::int64_t activated = 0;
  std::int64_t silent = 0;  ///< output corrupted or NaN, and nobody noticed
  std::int64_t controls = 0;
  std::int64_t changed_controls = 0;  ///< controls whose output differed from the fault-free one
  std::int64_t false_alarms = 0;

  /// Counts one trial.
  void add(const FaultTrial& trial);
  /// Faults that changed something: all but those not applicable.
  std::int64_t applicable() const;
  /// What the controls found wrong with the measurement, or "".
  std::string control_problem() const;
};

/// Appends the row of /summary: counts, and rates with their Wilson intervals.
void append_summary(PointTables& tables, const FaultCounts& counts);

}  // namespace kvarium
