#pragma once

#include <vector>

#include "experiments/kinds/fault_campaign.hpp"
#include "experiments/results/table.hpp"

namespace kvarium {

/// Times of the trials of a point of fault_impact.
class ImpactSpeed {
 public:
  /// Runs trial `index` of a campaign and keeps its time: of faults that were applicable and not computed again in
  /// full.
  FaultTrial run(FaultCampaign& campaign, TrialControl control, std::int64_t index);
  /// Appends the row of /timing/summary, after some of the faults have been run once more in full. Returns where one of
  /// them came out otherwise, or "".
  std::string append(FaultCampaign& campaign, Table& timing_summary) const;

 private:
  std::vector<double> seconds_;
  std::vector<std::pair<std::int64_t, FaultTrial>> first_;  ///< some trials and their numbers
};

/// Columns of /timing/summary of fault_impact, where record.throughput asks for them.
std::vector<ColumnSchema> impact_speed_columns();

}  // namespace kvarium
