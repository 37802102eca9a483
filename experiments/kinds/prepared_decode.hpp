#pragma once

#include <map>
#include <memory>
#include <utility>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/device_caches.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/read_ceiling.hpp"
#include "experiments/kinds/reference_check.hpp"

namespace kvarium {

/// The filled caches of a point, on the host and, once asked for, on the GPU, and the right answers. Points that differ
/// in their variant alone share them: they take far longer to make than attending takes. Nothing that attends changes
/// them.
class PreparedDecode {
 public:
  /// What `context.kept` holds, if it was prepared for the same stimulus; else a new one, which is then kept.
  /// Errors: InputError for contents that do not fit the point.
  static std::shared_ptr<PreparedDecode> of_point(const PointConfig& point, const PointContext& context);

  PreparedDecode(const PointConfig& point, const RandomKey& key) : point_(point), scenario_(point, key) {}

  const DecodeScenario& scenario() const { return scenario_; }

  /// The caches on the GPU, copied as often as make up the point's working set.
  /// Errors: NotConfigured without a device, DriverError when its memory is short.
  std::shared_ptr<DeviceCaches> device_caches();

  /// What the sequential reference gives for a layer, for a variant that cuts sequences as this one.
  const ReferenceOutput& reference(std::int64_t layer, const AttentionVariant& variant);

  /// Memory that the host's readers run over.
  const ReadCeiling& read_ceiling();

  /// Whether the point has the same contents and batch.
  bool fits(const PointConfig& point) const;

 private:
  PointConfig point_;
  DecodeScenario scenario_;
  std::shared_ptr<DeviceCaches> device_caches_;
  std::unique_ptr<ReadCeiling> read_ceiling_;
  std::map<std::pair<std::int64_t, int>, ReferenceOutput> references_;  ///< by layer and partition size
};

}  // namespace kvarium
