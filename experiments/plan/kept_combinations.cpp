#include "experiments/plan/kept_combinations.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "experiments/plan/distinct_draws.hpp"
#include "experiments/plan/even_walk.hpp"
#include "experiments/plan/exclusion_mask.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/plan/sweep_product.hpp"

namespace kvarium {
namespace {

/// Keeps samples apart from every stimulus id a trial draws under.
constexpr std::uint64_t sampling_stream = 0x73616d706c65;

class Exclusions {
 public:
  explicit Exclusions(const Sweep& sweep) {
    for (const SweepExclusion& rule : sweep.exclude) masks_.emplace_back(rule, sweep.axes);
  }

  bool drops(const std::vector<std::size_t>& positions) const {
    return std::ranges::any_of(masks_, [&](const ExclusionMask& mask) { return mask.drops(positions); });
  }

 private:
  std::vector<ExclusionMask> masks_;
};

/// Combinations in whatever order `next` (positions, or nothing at the end) gives them, until there are `count`.
template <class Next>
std::vector<std::int64_t> collect(const Sweep& sweep, std::int64_t count, Next next) {
  const Exclusions exclusions(sweep);
  std::vector<std::int64_t> kept;
  for (std::int64_t looked_at = 0; looked_at < 4 * most_points && std::ssize(kept) < count; ++looked_at) {
    const std::vector<std::size_t> positions = next();
    if (positions.empty()) break;
    if (!exclusions.drops(positions)) kept.push_back(combination_index(sweep.axes, positions));
  }
  std::ranges::sort(kept);
  return kept;
}

std::vector<std::int64_t> all_but_excluded(const Sweep& sweep) {
  const std::int64_t count = num_combinations(sweep.axes);
  std::int64_t index = 0;
  return collect(sweep, count, [&]() -> std::vector<std::size_t> {
    return index < count ? combination_positions(sweep.axes, index++) : std::vector<std::size_t>{};
  });
}

std::vector<std::int64_t> drawn_evenly(const Sweep& sweep, RandomKey key) {
  std::vector<std::size_t> lengths;
  for (const SweepAxis& axis : sweep.axes) lengths.push_back(axis.values.size());
  EvenWalk walk(lengths, key);
  return collect(sweep, sweep.sample->count, [&]() -> std::vector<std::size_t> {
    return walk.remaining() > 0 ? walk.next() : std::vector<std::size_t>{};
  });
}

std::vector<std::int64_t> drawn_freely(const Sweep& sweep, RandomKey key) {
  DistinctDraws draws(static_cast<std::uint64_t>(num_combinations(sweep.axes)), CounterRandom(key, 0));
  return collect(sweep, sweep.sample->count, [&]() -> std::vector<std::size_t> {
    if (draws.remaining() == 0) return {};
    return combination_positions(sweep.axes, static_cast<std::int64_t>(draws.next()));
  });
}

}  // namespace

std::vector<std::int64_t> kept_combinations(const Sweep& sweep, std::uint64_t seed) {
  if (!sweep.sample) return all_but_excluded(sweep);
  const RandomKey key{sweep.sample->seed.value_or(seed), sampling_stream};
  return sweep.sample->method == SampleMethod::random ? drawn_freely(sweep, key) : drawn_evenly(sweep, key);
}

}  // namespace kvarium
