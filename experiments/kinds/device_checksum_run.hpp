#pragma once

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/experiment_kind.hpp"

namespace kvarium {

/// One point of checksum_throughput on the GPU: every row is held against the host's values and the first ones against
/// the sequential reference, then one call over all layers is timed beside the device's readers and, where the workload
/// is concurrent, beside decode steps on a second stream. Appends to /trials and the timings; what is wrong has none.
/// Errors: InputError, NotConfigured, DriverError.
void run_checksums_on_device(const DecodeScenario& scenario, const PointConfig& point, PointResult& result);

}  // namespace kvarium
