#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/results/value.hpp"

namespace kvarium {

/// Named values in the order they were added.
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// Adds a scalar attribute: text as variable-length UTF-8, integers as int64 or uint64, numbers as float64.
/// Errors: InputError with HDF5's reason.
void write_attribute(hid_t object, const std::string& name, const Value& value);

/// Adds an attribute [values.size()] of the numbers' own type (int8, int64, uint64, float64).
template <class Number>
void write_array_attribute(hid_t object, const std::string& name, std::span<const Number> values);

/// Whether `object` has an attribute of that name.
bool has_attribute(hid_t object, const std::string& name);

/// The attribute as text, integer or number, or nothing when there is none of that kind with one element.
std::optional<Value> read_attribute(hid_t object, const std::string& name);
std::optional<std::string> read_text_attribute(hid_t object, const std::string& name);
std::optional<std::int64_t> read_integer_attribute(hid_t object, const std::string& name);

/// Every readable scalar attribute of `object`, in the order they were written where the file keeps it.
NamedValues read_attributes(hid_t object);

}  // namespace kvarium
