#pragma once

#include <optional>
#include <string>

#include "experiments/config/field_value.hpp"

namespace kvarium {

// Checks of single keys that bounds and choices cannot express: "what is wrong; what to do", or nothing.

/// A multiple of 8 from 8 to 256.
std::optional<std::string> head_size_problem(const FieldValue& value);
/// 8, 16, 32, 64, 128 or 256.
std::optional<std::string> block_size_problem(const FieldValue& value);
/// The same, or 0.
std::optional<std::string> engine_block_size_problem(const FieldValue& value);
/// 1, 2, 4 or 8 bytes.
std::optional<std::string> piece_width_problem(const FieldValue& value);
/// A power of two.
std::optional<std::string> power_of_two_problem(const FieldValue& value);
/// A name that can be part of a file name.
std::optional<std::string> name_problem(const FieldValue& value);
/// The one schema this version reads.
std::optional<std::string> schema_problem(const FieldValue& value);

}  // namespace kvarium
