#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/random.hpp"

namespace kvarium {

/// Draws 0 to bound - 1 in random order, every order equally likely, in memory that grows with the draws alone.
/// Source: Fisher and Yates' shuffle, of which only the places that differ from their own number are kept.
class DistinctDraws {
 public:
  /// Precondition: bound > 0.
  DistinctDraws(std::uint64_t bound, CounterRandom random) : bound_(bound), random_(random) {}

  /// How many are left to draw.
  std::uint64_t remaining() const { return bound_ - drawn_; }

  /// Precondition: remaining() > 0.
  std::uint64_t next();

 private:
  std::uint64_t bound_;
  std::uint64_t drawn_ = 0;
  CounterRandom random_;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

}  // namespace kvarium
