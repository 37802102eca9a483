#include "core/element_type.hpp"

#include "core/enum_names.hpp"

namespace kvarium {

const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names{"float32", "float16", "bfloat16", "float8_e4m3", "float8_e5m2"};
  return names;
}

std::string to_string(ElementType type) { return element_type_names().at(static_cast<std::size_t>(type)); }

ElementType parse_element_type(std::string_view name) {
  return parse_enum<ElementType>("element type", name, element_type_names());
}

}  // namespace kvarium
