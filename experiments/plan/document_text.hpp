#pragma once

#include <string>

#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// A document as YAML that reads back as the same values, with a line for each of the two outer levels of keys.
/// Precondition: no value is invalid.
std::string document_text(const YamlNode& document);

}  // namespace kvarium
