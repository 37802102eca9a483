#pragma once

#include "experiments/config/experiment_reading.hpp"

namespace kvarium {

/// Reports combinations of fixed values that are impossible and model dumps that do not exist. A combination that a
/// swept key takes part in is no error: its points are skipped with the reason.
void check_across_keys(ExperimentReading& reading);

}  // namespace kvarium
