#pragma once

#include <string>
#include <vector>

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// The key of `base` at `path`; null, and reported, when there is none.
const Field* find_swept_key(const std::string& path, const Place& place, ErrorList& errors);

/// The key of `base` that an axis at `place` sweeps; null, and reported, when there is no such key, or when the file
/// already sweeps it or gives it a fixed value.
const Field* claim_swept_key(const std::string& path, const Place& place, ExperimentReading& reading);

/// Values of an axis over `field`: a list, or a map of one series. An empty list, wrong values and values that stand
/// twice go to `errors`; right values are returned whatever else is wrong.
std::vector<FieldValue> read_axis_values(const YamlNode& node, const Field& field, ErrorList& errors);

/// The same of an axis that several keys share: there a value may stand more than once. Wrong values leave the list
/// shorter than it is written.
std::vector<FieldValue> read_shared_axis_values(const YamlNode& node, const Field& field, ErrorList& errors);

}  // namespace kvarium
