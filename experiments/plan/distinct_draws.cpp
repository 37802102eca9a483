#include "experiments/plan/distinct_draws.hpp"

#include "core/check.hpp"

namespace kvarium {

std::uint64_t DistinctDraws::next() {
  KVARIUM_EXPECT(remaining() > 0);
  const auto at = [&](std::uint64_t place) {
    const auto found = moved_.find(place);
    return found == moved_.end() ? place : found->second;
  };
  const std::uint64_t place = drawn_ + random_.below(bound_ - drawn_);
  const std::uint64_t value = at(place), first = at(drawn_);
  moved_[place] = first;
  // Nobody looks before the places that are still to be drawn.
  moved_.erase(drawn_);
  ++drawn_;
  return value;
}

}  // namespace kvarium
