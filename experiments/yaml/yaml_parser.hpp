#pragma once

#include <string>

#include "experiments/yaml/error_list.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// The one document in `text`. What the strict form refuses (duplicate keys, aliases, merge keys, tags, several
/// documents) goes to `errors`; places name `source`.
/// Errors: InputError with line and column where the text is no YAML at all, nests too deeply, or is empty.
YamlNode parse_yaml(const std::string& text, const std::string& source, ErrorList& errors);

}  // namespace kvarium
