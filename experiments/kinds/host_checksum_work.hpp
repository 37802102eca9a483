#pragma once

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/timed_samples.hpp"

namespace kvarium {

/// The point's checksum on the host, over all layers and stored blocks in one call, each time on the next of as many
/// copies of the caches as make up `working_set_bytes`. `scenario` and `point` must outlive it.
TimedWork host_checksum_work(const DecodeScenario& scenario, const PointConfig& point, std::int64_t working_set_bytes);

}  // namespace kvarium
