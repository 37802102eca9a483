#pragma once

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Reads `sweep.list`: a list of maps from dotted paths into `base` to one value each, every map a point of its own.
/// Keys a map does not name have the value of `base`; those it names may have one there too. Errors of any kind go to
/// the reading's errors. Precondition: the axes have been read.
void read_list(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
