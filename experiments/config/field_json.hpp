#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "experiments/config/field_value.hpp"

namespace kvarium {

/// Puts `value` under the dotted `path` of a JSON object, making the objects on the way.
template <class Json>
void place_value(Json& object, std::string_view path, const FieldValue& value) {
  Json* target = &object;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    target = &(*target)[std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  std::visit([&](const auto& member) { (*target)[std::string(path)] = member; }, value);
}

}  // namespace kvarium
