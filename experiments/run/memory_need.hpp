#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// Bytes of this machine's memory that a point's caches, slots, token ids, queries and outputs take at least. Exact for
/// none of them: a bound from below, so that what is refused for it could not have run. May exceed every integer, hence
/// a double.
double needed_bytes(const PointConfig& point);

/// The most that needed_bytes() can be for a point with such a batch; quicker, as no lengths are drawn.
double most_needed_bytes(const PointConfig& point);

/// Why a point cannot run in `free_bytes` of memory, or nothing.
std::optional<std::string> memory_problem(const PointConfig& point, std::optional<std::int64_t> free_bytes);

}  // namespace kvarium
