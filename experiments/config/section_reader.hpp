#pragma once

#include <string>

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Reads the map `node` as the keys below `section` (dotted; empty: the whole file, whose `sweep` is left out).
/// Unknown keys, maps for values, values for maps and wrong values go to the reading's errors.
void read_section(const YamlNode& node, const std::string& section, ExperimentReading& reading);

/// Reports each required key that has no value.
void require_keys(ExperimentReading& reading);

/// The key that a section stands for when it is given a plain value (`replicates: 5`), or "".
std::string shorthand_key(const std::string& section);

}  // namespace kvarium
