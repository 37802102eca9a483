#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "experiments/plan/plan.hpp"

namespace kvarium {

/// Points of a plan by their ids.
class PointIndex {
 public:
  explicit PointIndex(const Plan& plan) {
    points_.reserve(plan.point_ids().size());
    for (std::int64_t point = 0; point < plan.num_points(); ++point) {
      points_.emplace(plan.point_ids()[static_cast<std::size_t>(point)], point);
    }
  }

  std::optional<std::int64_t> find(std::uint64_t id) const {
    const auto found = points_.find(id);
    return found == points_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::uint64_t, std::int64_t> points_;
};

}  // namespace kvarium
