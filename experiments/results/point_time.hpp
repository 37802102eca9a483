#pragma once

#include <cstdint>
#include <limits>

namespace kvarium {

/// When and how long a point ran. Not a number where it is not known.
struct PointTime {
  double started = std::numeric_limits<double>::quiet_NaN();   ///< seconds since 1970 UTC
  double duration = std::numeric_limits<double>::quiet_NaN();  ///< seconds
  /// Seconds between the end of the point before, or of the start of the run, and this one's: what the harness took.
  double overhead = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace kvarium
