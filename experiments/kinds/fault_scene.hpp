#pragma once

#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "sim/faults/earlier_requests.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {

/// A batch with filled caches, open to faults: what held its blocks before, and what its readers believe of scales,
/// types and lengths.
class FaultScene {
 public:
  /// Errors: InputError for contents that do not fit the point.
  FaultScene(const PointConfig& point, const RandomKey& key);
  FaultScene(const FaultScene&) = delete;
  FaultScene& operator=(const FaultScene&) = delete;

  const DecodeScenario& scenario() const { return scenario_; }
  const FaultTarget& target() const { return target_; }

  /// Arguments of one layer's attention as its readers see it, faults included; out and lse are the caller's.
  PagedAttentionArguments arguments(std::int64_t layer) const;

 private:
  AttendedCache attended(std::int64_t sliding_window);

  DecodeScenario scenario_;
  EarlierRequests earlier_;
  std::vector<PagedCacheView> readers_;     ///< one a layer
  std::vector<std::int32_t> read_lengths_;  ///< [num_sequences]
  FaultTarget target_;
};

}  // namespace kvarium
