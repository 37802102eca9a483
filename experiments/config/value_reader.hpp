#pragma once

#include <optional>

#include "experiments/config/field_table.hpp"
#include "experiments/yaml/error_list.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// The value of `field` that `node` holds. A value of the wrong type, out of bounds or unknown is reported to
/// `errors` at its place and gives nothing.
std::optional<FieldValue> read_value(const YamlNode& node, const Field& field, ErrorList& errors);

/// Reports `value` to `errors` at `place`, and is false, unless bounds, choices and own check of `field` allow it.
/// Precondition: the value has the field's type.
bool check_value(const FieldValue& value, const Field& field, const Place& place, ErrorList& errors);

/// "use one of a, b", with the one nearest to `word` pointed out.
std::string suggest(const std::string& word, const std::vector<std::string>& allowed);

}  // namespace kvarium
