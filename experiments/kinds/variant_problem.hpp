#pragma once

#include <optional>
#include <string>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// Why the point's attention variant cannot run its batch on its device, or nothing when it can.
std::optional<std::string> variant_problem(const PointConfig& point);

/// Why a kind whose attention has no records cannot run a variant that verifies, or nothing for one that does not.
std::optional<std::string> verification_problem(const PointConfig& point);

}  // namespace kvarium
