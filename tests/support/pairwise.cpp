#include "tests/support/pairwise.hpp"

#include <array>
#include <optional>
#include <set>

#include "core/random.hpp"

namespace kvarium::test {
namespace {

/// Axis, value, axis, value; the first axis before the second.
using Pair = std::array<std::size_t, 4>;

std::set<Pair> all_pairs(const std::vector<std::size_t>& sizes) {
  std::set<Pair> pairs;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    for (std::size_t b = a + 1; b < sizes.size(); ++b) {
      for (std::size_t i = 0; i < sizes[a]; ++i) {
        for (std::size_t j = 0; j < sizes[b]; ++j) pairs.insert({a, i, b, j});
      }
    }
  }
  return pairs;
}

std::vector<Pair> pairs_of(const AxisPoint& point) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < point.size(); ++a) {
    for (std::size_t b = a + 1; b < point.size(); ++b) pairs.push_back({a, point[a], b, point[b]});
  }
  return pairs;
}

std::size_t count_new(const AxisPoint& point, const std::set<Pair>& open) {
  std::size_t count = 0;
  for (const Pair& pair : pairs_of(point)) count += open.count(pair);
  return count;
}

AxisPoint random_point(const std::vector<std::size_t>& sizes, const Pair& fixed, CounterRandom& random) {
  AxisPoint point;
  for (std::size_t size : sizes) point.push_back(static_cast<std::size_t>(random.below(size)));
  point[fixed[0]] = fixed[1];
  point[fixed[2]] = fixed[3];
  return point;
}

/// Of many allowed points with `wanted`, the one that covers most open pairs.
std::optional<AxisPoint> best_point(const std::vector<std::size_t>& sizes, const Pair& wanted,
                                    const std::set<Pair>& open, const std::function<bool(const AxisPoint&)>& is_allowed,
                                    CounterRandom& random) {
  constexpr int most_tries = 400, enough = 40;
  std::optional<AxisPoint> best;
  std::size_t best_count = 0;
  for (int tries = 0, allowed = 0; tries < most_tries && allowed < enough; ++tries) {
    AxisPoint point = random_point(sizes, wanted, random);
    if (!is_allowed(point)) continue;
    ++allowed;
    const std::size_t count = count_new(point, open);
    if (count <= best_count) continue;
    best_count = count;
    best = std::move(point);
  }
  return best;
}

}  // namespace

std::vector<AxisPoint> pairwise_cover(const std::vector<std::size_t>& axis_sizes,
                                      const std::function<bool(const AxisPoint&)>& is_allowed) {
  std::set<Pair> open = all_pairs(axis_sizes);
  std::vector<AxisPoint> points;
  CounterRandom random({1, 0}, 0);
  while (!open.empty()) {
    const Pair wanted = *open.begin();
    const auto point = best_point(axis_sizes, wanted, open, is_allowed, random);
    open.erase(wanted);  // where no allowed point has it, it stays uncovered
    if (!point) continue;
    for (const Pair& pair : pairs_of(*point)) open.erase(pair);
    points.push_back(*point);
  }
  return points;
}

}  // namespace kvarium::test
