#pragma once

#include "experiments/kinds/timed_samples.hpp"
#include "kernels/cuda/stream.hpp"

namespace kvarium {

/// Work that a stream of its own repeats.
struct StreamedWork {
  std::string name;
  double bytes = 0;  ///< read by one run
  const CudaStream* stream = nullptr;
  std::function<void(std::int64_t run)> launch;  ///< puts one run on the stream
};

/// Keeps every stream busy with its own work, run after run, until the first work has done `num_runs` and each of them
/// a few. Streams share nothing and never wait for one another. Returns for each work the times of the runs during
/// which all others were at work too; of a single work, of all runs but the first. Errors: DriverError, InputError when
/// no run of a work lay within the others' time.
std::vector<TimedSeries> run_side_by_side(const std::vector<StreamedWork>& works, std::int64_t num_runs);

/// Durations of the runs of stream `which` that began after every stream's first run and ended before any stream's
/// last. `ends`: [num_streams][num_runs], when each run ended in seconds since one moment; a run begins as the one
/// before it ends.
std::vector<double> shared_durations(const std::vector<std::vector<double>>& ends, std::size_t which);

}  // namespace kvarium
