#pragma once

#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// The documents of a parent and of what extends it as one: maps merged key by key, the child's values in place of the
/// parent's, the parent's order first. Below `sweep.grid` values are whole, since a map there is a series. A key of the
/// child without a value takes the parent's away, and stays where the parent has none.
YamlNode merge_yaml(YamlNode parent, const YamlNode& child);

}  // namespace kvarium
