#pragma once

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Reads `sweep.exclude`: a list of maps from keys that axes sweep to a value, a list of values or a series. A point of
/// the product that has one of the values at every key of a map is left out. Errors of any kind, a value that the axis
/// does not have and a rule that leaves nothing out among them, go to the reading's errors.
/// Precondition: the axes have been read.
void read_exclude(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
