#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/yaml/error_list.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Largest integer that every reader of JSON keeps exactly: 2^53 - 1.
inline constexpr std::int64_t largest_exact_integer = 9007199254740991;

// Strict readers of one scalar: nothing is guessed, so what a file says is the same for every YAML reader.
// A wrong scalar is reported to `errors` at its place and gives nothing; an invalid node gives nothing silently.

/// `true` or `false`, unquoted.
std::optional<bool> read_boolean(const YamlNode& node, ErrorList& errors);

/// Decimal digits with an optional minus, without leading zeros, from -(2^53 - 1) to 2^53 - 1.
std::optional<std::int64_t> read_integer(const YamlNode& node, ErrorList& errors);

/// A finite number as JSON writes it.
std::optional<double> read_number(const YamlNode& node, ErrorList& errors);

/// Any scalar that is not empty, quoted or not.
std::optional<std::string> read_text(const YamlNode& node, ErrorList& errors);

}  // namespace kvarium
