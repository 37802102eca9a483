#pragma once

#include "experiments/config/experiment_reading.hpp"

namespace kvarium {

/// Reports a sweep with more than most_points points. Where nothing else is wrong so far: rules of `exclude` that leave
/// no point, a sample of more points than there are, and rows of `list` that are points already.
/// Precondition: file and overrides have been read.
void check_sweep(ExperimentReading& reading);

}  // namespace kvarium
