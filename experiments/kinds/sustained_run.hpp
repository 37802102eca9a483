#pragma once

#include <cstdint>
#include <functional>

#include "kernels/cuda/stream.hpp"

namespace kvarium {

/// What work on a GPU does without a pause, when the device has warmed up to its steady clock. NaN where the device
/// does not tell.
struct SustainedRun {
  double duration = 0;  ///< s, of one run
  double clock = 0;     ///< Hz, of the multiprocessors, median over the loop
  double power = 0;     ///< W, mean between the first and the last update of the device's energy counter

  double joules_per_byte(double bytes) const { return power * duration / bytes; }
};

/// Puts runs `launch(0)`, `launch(1)`, ... on the stream, one after the other, for about `seconds`.
/// `expected_duration`: of one run. Errors: DriverError.
SustainedRun run_sustained(const CudaStream& stream, const std::function<void(std::int64_t run)>& launch,
                           double expected_duration, double seconds);

}  // namespace kvarium
