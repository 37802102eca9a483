#pragma once

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Reads `sweep.zip`: a list of maps from dotted paths into `base` to values (a list, or one of value_series_names()).
/// Each map becomes one axis on which its keys take their first values together, then their second ones, and so on.
/// Errors of any kind, lists of unequal length and rows that stand twice among them, go to the reading's errors.
void read_zip(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
