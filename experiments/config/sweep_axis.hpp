#pragma once

#include <string>
#include <vector>

#include "experiments/config/field_value.hpp"

namespace kvarium {

/// Values that one or more keys take together.
struct SweepAxis {
  std::vector<std::string> paths;               ///< dotted paths into `base`
  std::vector<std::vector<FieldValue>> values;  ///< [num_values][paths.size()]

  bool operator==(const SweepAxis&) const = default;
};

}  // namespace kvarium
