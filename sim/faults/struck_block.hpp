#pragma once

#include <cstdint>

#include "sim/faults/fault_target.hpp"

namespace kvarium {

/// Where a fault strikes a cache: a block of a layer, by one of its attended spans. A block that nobody attends has a
/// span without tokens.
struct StruckBlock {
  std::int64_t layer = 0;
  AttendedSpan span;
};

}  // namespace kvarium
