#pragma once

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// The GPU that this thread's work goes to: its name and architecture, the driver's CUDA version and NVRTC's, the hash
/// of the device sources; nothing without one.
RunProvenance gpu_facts();

}  // namespace kvarium
