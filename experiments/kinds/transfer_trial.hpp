#pragma once

#include <string>
#include <vector>

#include "experiments/kinds/checksum_verdict.hpp"
#include "experiments/kinds/fault_campaign.hpp"
#include "experiments/kinds/transfer_watch.hpp"

namespace kvarium {

/// Outcome of one trial.
struct TransferTrial {
  FaultEffect effect = FaultEffect::masked;
  std::string not_applicable;  ///< why the defect could not strike; empty where it did
  AttendedDifference difference;
  std::int64_t num_refused = 0;
  std::vector<std::array<ChecksumVerdict, num_check_points>> verdicts;  ///< [transfer_checks()]
  std::array<ChecksumVerdict, num_cheap_checks> cheap_verdicts{};       ///< by CheapCheck
  std::vector<CheckCost> costs;                                         ///< [transfer_checks()]

  /// Whether attention read or gave anything else than it should.
  bool is_damaged() const { return difference.num_changed_bytes > 0 || !difference.is_identical; }
};

/// Trials of one point: a trial's world is a function of the stimulus and its number alone.
class TransferCampaign {
 public:
  /// Errors: InputError for contents that do not fit the point.
  TransferCampaign(const PointConfig& point, const RandomKey& key);

  TransferTrial run_trial(std::int64_t trial) const;

 private:
  PointConfig point_;
  RandomKey key_;
  TransferShape shape_;
  PointContents contents_;
};

}  // namespace kvarium
