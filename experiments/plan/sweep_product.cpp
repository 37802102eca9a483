#include "experiments/plan/sweep_product.hpp"

namespace kvarium {

std::int64_t num_combinations(const std::vector<SweepAxis>& axes) {
  std::int64_t count = 1;
  for (const SweepAxis& axis : axes) {
    const auto size = static_cast<std::int64_t>(axis.values.size());
    if (size > 0 && count >= most_combinations / size) return most_combinations;
    count *= size;
  }
  return count;
}

std::vector<std::size_t> combination_positions(const std::vector<SweepAxis>& axes, std::int64_t index) {
  std::vector<std::size_t> positions(axes.size());
  auto rest = static_cast<std::size_t>(index);
  for (std::size_t axis = positions.size(); axis-- > 0;) {
    const std::size_t size = axes[axis].values.size();
    positions[axis] = rest % size;
    rest /= size;
  }
  return positions;
}

std::int64_t combination_index(const std::vector<SweepAxis>& axes, const std::vector<std::size_t>& positions) {
  std::int64_t index = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    index = index * static_cast<std::int64_t>(axes[axis].values.size()) + static_cast<std::int64_t>(positions[axis]);
  }
  return index;
}

}  // namespace kvarium
