#include "experiments/run/companion_points.hpp"

#include "experiments/plan/point_identity.hpp"

namespace kvarium {

void CompanionPoints::index() {
  for (std::int64_t point = 0; point < plan_.num_points(); ++point) {
    stimuli_.push_back(stimulus_id(plan_.point(point)));
    points_[stimuli_.back()].push_back(point);
  }
}

std::vector<PointConfig> CompanionPoints::after(std::int64_t point, const ResultTables& results) {
  if (stimuli_.empty()) index();
  std::vector<PointConfig> companions;
  for (const std::int64_t other : points_.at(stimuli_[static_cast<std::size_t>(point)])) {
    if (other <= point || results.is_finished(other) || plan_.skip_reason(other)) continue;
    companions.push_back(plan_.point(other));
  }
  return companions;
}

}  // namespace kvarium
