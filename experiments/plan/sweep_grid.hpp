#pragma once

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Reads `sweep.grid`: a map from dotted paths into `base` to values (a list, or one of value_series_names()); each
/// becomes an axis of its own. Errors of any kind go to the reading's errors.
void read_grid(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
