#pragma once

#include <cstdint>

namespace kvarium {

/// Most points of one experiment.
inline constexpr std::int64_t most_points = 10'000'000;

}  // namespace kvarium
