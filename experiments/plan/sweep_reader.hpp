#pragma once

#include "experiments/config/experiment_reading.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// A key of `sweep`: one way of writing axes, of choosing from their product, or of writing points beside it. They are
/// read in this order, whatever the file's: axes of a later way vary faster than those of an earlier one.
struct SweepKey {
  std::string name;
  std::string description;
  void (*read)(const YamlNode& node, ExperimentReading& reading);
};

/// Every key of `sweep`; a new one is a file of its own and a line here.
const std::vector<SweepKey>& sweep_keys();

/// Reads the value of `sweep` into the axes of the experiment. Errors of any kind go to the reading's errors.
void read_sweep(const YamlNode& node, ExperimentReading& reading);

}  // namespace kvarium
