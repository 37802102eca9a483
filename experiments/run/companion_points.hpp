#pragma once

#include <unordered_map>
#include <vector>

#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// Which points of a plan meet the same contents and faults. Finding that out takes a hash a point, once, when it is
/// first asked for.
class CompanionPoints {
 public:
  /// `plan` must outlive this.
  explicit CompanionPoints(const Plan& plan) : plan_(plan) {}

  /// Points after `point` with its stimulus that have not finished and can run, resolved, in order.
  std::vector<PointConfig> after(std::int64_t point, const ResultTables& results);

 private:
  void index();

  const Plan& plan_;
  std::vector<std::uint64_t> stimuli_;                                   ///< [points]
  std::unordered_map<std::uint64_t, std::vector<std::int64_t>> points_;  ///< of each stimulus, rising
};

}  // namespace kvarium
