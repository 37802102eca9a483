#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// Values of several keys that cannot go together.
struct CombinationRule {
  std::vector<std::string> paths;  ///< into `base`; the keys it looks at, the one to change first
  /// "what is wrong; what to do", or nothing.
  std::function<std::optional<std::string>(const BaseConfig& base)> problem;
};

/// All rules, in the order in which they are checked.
const std::vector<CombinationRule>& combination_rules();

/// The first rule a point breaks, in words, or nothing.
std::optional<std::string> combination_problem(const BaseConfig& base);

}  // namespace kvarium
