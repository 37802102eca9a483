#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvarium {

/// What one element of a KV cache, query or output is stored as.
/// float8_e4m3 is OCP e4m3fn: largest finite value 448, no infinity.
enum class ElementType : std::uint8_t { float32, float16, bfloat16, float8_e4m3, float8_e5m2 };

/// Bytes of one stored element.
constexpr int element_bytes(ElementType type) {
  switch (type) {
    case ElementType::float32: return 4;
    case ElementType::float16:
    case ElementType::bfloat16: return 2;
    case ElementType::float8_e4m3:
    case ElementType::float8_e5m2: return 1;
  }
  return 0;
}

/// Whether elements are of 8 bits, and carry a scale.
constexpr bool is_float8(ElementType type) { return element_bytes(type) == 1; }

/// Names of the types, in the order of the enumerators.
const std::vector<std::string>& element_type_names();
/// The name a configuration gives the type.
std::string to_string(ElementType type);

/// Errors: InputError that lists the known names.
ElementType parse_element_type(std::string_view name);

}  // namespace kvarium
