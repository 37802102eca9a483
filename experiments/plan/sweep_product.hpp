#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/config/sweep.hpp"

namespace kvarium {

/// Most combinations of axes that are counted.
inline constexpr std::int64_t most_combinations = std::int64_t{1} << 62;

/// Combinations of one value of each axis; 1 without axes. most_combinations where there are as many or more.
std::int64_t num_combinations(const std::vector<SweepAxis>& axes);

/// Position in each axis of a combination; the last axis varies fastest. Precondition: 0 <= index < num_combinations().
std::vector<std::size_t> combination_positions(const std::vector<SweepAxis>& axes, std::int64_t index);

/// The inverse. Precondition: each position lies within its axis.
std::int64_t combination_index(const std::vector<SweepAxis>& axes, const std::vector<std::size_t>& positions);

}  // namespace kvarium
