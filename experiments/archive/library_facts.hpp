#pragma once

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// Versions of the libraries in use, and what Kokkos runs on (execution space and threads once it is initialised).
RunProvenance library_facts();

}  // namespace kvarium
