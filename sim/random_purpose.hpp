#pragma once

#include <cstdint>

#include "core/random.hpp"

namespace kvarium {

/// What random numbers of one trial are drawn for; separates their streams. Values are part of every archive's
/// reproducibility: never renumber, only add.
enum class RandomPurpose : std::uint64_t {
  sequence_lengths = 1,
  token_ids = 2,
  block_order = 3,
  fault = 4,
  content_profile = 5,
  earlier_order = 6,
  recheck = 7,
  content_bits = 8
};

/// The stream of one purpose in one trial; what belongs to a whole point, such as its batch, uses trial 0.
inline CounterRandom random_for(RandomPurpose purpose, const RandomKey& key, std::uint64_t trial = 0) {
  return {key, trial, static_cast<std::uint64_t>(purpose)};
}

}  // namespace kvarium
