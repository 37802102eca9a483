#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/element_type.hpp"

namespace kvarium {

/// Part of a stored floating-point number, from its lowest bits up; `several`: a change that spans more.
enum class ElementField : std::uint8_t { mantissa, exponent, sign, several };

/// Names in the order of the enumerators.
const std::vector<std::string>& element_field_names();
/// The name a configuration gives the field.
std::string to_string(ElementField field);

/// Bits of one field, [first, first + count), counted from an element's least significant bit.
struct BitRange {
  int first = 0;
  int count = 0;

  bool operator==(const BitRange&) const = default;
};

/// Where `field` lies in an element; `several` gives all bits.
BitRange field_bits(ElementType type, ElementField field);

/// The field a bit belongs to. Precondition: 0 <= bit < 8 * element_bytes(type).
ElementField field_of_bit(ElementType type, int bit);

}  // namespace kvarium
