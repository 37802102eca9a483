#pragma once

#include <cstdint>
#include <vector>

#include "experiments/config/sweep.hpp"

namespace kvarium {

/// Combinations of the axes (combination_index(), rising) that become points: those no rule of `exclude` leaves out
/// and, with a sample, as many of them as it draws with its own seed, else with `seed`. A sample comes out smaller than
/// its count where there are too few; it stops looking after 4 * most_points combinations.
/// Precondition: without a sample there are at most most_points combinations.
std::vector<std::int64_t> kept_combinations(const Sweep& sweep, std::uint64_t seed);

}  // namespace kvarium
