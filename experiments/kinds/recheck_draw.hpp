#pragma once

#include "sim/random_purpose.hpp"

namespace kvarium {

/// Whether a trial is one of the random 1 % that is computed again in full; a function of stimulus and trial alone.
inline bool draw_recheck(const RandomKey& key, std::int64_t trial) {
  return random_for(RandomPurpose::recheck, key, static_cast<std::uint64_t>(trial)).below(100) == 0;
}

}  // namespace kvarium
