#pragma once

#include <cstdint>
#include <vector>

#include "experiments/kinds/transfer_trial.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// Columns of the kind transfer: verdicts as CHECKPOINT_CHECK for each check of transfer_checks() at each check point,
/// and for the cheap checks.
KindSchema transfer_schema();

/// Counts of a point's trials.
class TransferCounts {
 public:
  TransferCounts();
  void add(const TransferTrial& trial);
  void append_summary(Table& summary) const;
  /// One row a check: what it took on landing.
  void append_timing(Table& timing) const;
  /// Trials with damage, or an alarm without one.
  std::int64_t num_damaged() const { return damaged_; }
  std::int64_t num_alarms() const { return alarms_; }

 private:
  std::int64_t trials_ = 0, applicable_ = 0, damaged_ = 0, alarms_ = 0, refused_ = 0;
  std::vector<std::int64_t> effects_;
  std::vector<CheckCost> costs_;        ///< [transfer_checks()], over all trials
  std::vector<std::int64_t> detected_;  ///< by verdict column
};

/// Appends a trial's row.
void append_transfer_trial(Table& trials, const TransferTrial& trial);

}  // namespace kvarium
