#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace kvarium {

/// 0 to count - 1 in random order, all orders equally likely (Fisher-Yates).
inline std::vector<std::size_t> random_order(std::size_t count, CounterRandom& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace kvarium
