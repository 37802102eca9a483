#pragma once

#include <optional>
#include <string>

#include "experiments/config/field_value.hpp"

namespace kvarium {

// Checks of single keys that bounds and choices cannot express: "what is wrong; what to do", or nothing.

std::optional<std::string> head_size_problem(const FieldValue& value);
std::optional<std::string> block_size_problem(const FieldValue& value);
std::optional<std::string> piece_width_problem(const FieldValue& value);
std::optional<std::string> name_problem(const FieldValue& value);
std::optional<std::string> schema_problem(const FieldValue& value);

}  // namespace kvarium
