#pragma once

#include <functional>
#include <vector>

namespace kvarium::test {

/// One value of each axis, by index.
using AxisPoint = std::vector<std::size_t>;

/// Points of a product of axes such that any two values of any two axes occur together, wherever an allowed point has
/// them both. Some dozens of points stand for a product of millions. The same points for the same input.
std::vector<AxisPoint> pairwise_cover(const std::vector<std::size_t>& axis_sizes,
                                      const std::function<bool(const AxisPoint&)>& is_allowed);

}  // namespace kvarium::test
