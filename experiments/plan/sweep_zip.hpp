#pragma once

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Reads `sweep.zip`: a list whose items become one axis each. An item is a map from dotted paths into `base` to values
/// (a list, or one of value_series_names()), which take their first values together, then their second ones, and so
/// on; or it is a list of maps from paths to one value each, whose other keys keep their defaults.
/// Errors of any kind, lists of unequal length and rows that stand twice among them, go to the reading's errors.
void read_zip(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
