#pragma once

#include <vector>

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Keys of `sweep.sample`, with what they mean and take.
const std::vector<Field>& sample_fields();

/// Reads `sweep.sample`: a map of sample_fields(). Errors of any kind, a sample without axes among them, go to the
/// reading's errors. Precondition: the axes have been read.
void read_sample(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
