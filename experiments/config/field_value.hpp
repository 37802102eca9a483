#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace kvarium {

/// What a configuration key holds; the alternatives are in the order of FieldType.
using FieldValue = std::variant<bool, std::int64_t, double, std::string>;

/// Kind of value of a configuration key.
enum class FieldType : std::uint8_t { boolean, integer, number, text };

/// "true or false", "an integer", "a number", "a text".
std::string to_string(FieldType type);

/// The value as a configuration file would hold it, texts without quotes.
std::string to_string(const FieldValue& value);

}  // namespace kvarium
