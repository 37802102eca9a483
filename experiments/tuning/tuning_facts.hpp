#pragma once

#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// What a measurement depends on beside the shape, as provenance names it. cpu: version of kvarium, processor, threads
/// (once Kokkos has started). cuda: version, hash of the device sources, compiler, GPU and its architecture; empty
/// where there is no GPU.
RunProvenance tuning_facts(Device device);

/// Whether every run that added to an archive had this device and these versions. False without a GPU for `cuda`.
bool is_tuned_here(const std::vector<RunProvenance>& runs, Device device);

}  // namespace kvarium
