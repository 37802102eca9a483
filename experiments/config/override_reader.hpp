#pragma once

#include <string>

#include "experiments/config/experiment_reading.hpp"

namespace kvarium {

/// Applies "key=value" of the command line over what the file says; `key` is a dotted path into `base` or a top-level
/// key, `value` is read as in a file. Errors of any kind go to the reading's errors.
void read_override(const std::string& assignment, ExperimentReading& reading);

}  // namespace kvarium
