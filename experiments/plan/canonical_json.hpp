#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "experiments/config/field_value.hpp"

namespace kvarium {

/// The canonical text of a JSON value: no white space, keys in order of their UTF-16 code units, numbers as
/// ECMAScript prints them. Preconditions: integers within +-(2^53 - 1), numbers finite, texts valid UTF-8.
/// Source: RFC 8785.
std::string canonical_json(const nlohmann::json& value);

/// Appends a text as canonical JSON writes it. Precondition: valid UTF-8.
void append_canonical_text(std::string_view text, std::string& out);

/// Appends a configuration value as canonical JSON writes it. Preconditions: as for canonical_json().
void append_canonical_value(const FieldValue& value, std::string& out);

}  // namespace kvarium
