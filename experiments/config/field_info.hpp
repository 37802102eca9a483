#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/config/field_value.hpp"

namespace kvarium {

/// What a configuration key means and takes.
struct FieldInfo {
  std::string_view description;
  std::string_view unit = "";  ///< empty: none
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  /// The texts allowed; empty: any.
  std::function<std::vector<std::string>()> choices = nullptr;
  /// In words, what `problem` lets through.
  std::string_view rule = "";
  /// "what is wrong; what to do" with a value that type, bounds and choices let through; null: nothing is.
  std::optional<std::string> (*problem)(const FieldValue& value) = nullptr;
  bool required = false;
};

}  // namespace kvarium
