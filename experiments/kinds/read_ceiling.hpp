#pragma once

#include <vector>

#include "core/paged_kv_cache.hpp"
#include "experiments/kinds/timed_samples.hpp"

namespace kvarium {

/// Memory that the readers run over: at least 1 GiB, far more than any cache of a processor core.
class ReadCeiling {
 public:
  ReadCeiling();

  /// One work a registered memory reader.
  std::vector<TimedWork> works() const;

 private:
  ByteView memory_;
};

/// The fastest reader by median bytes per second. Precondition: not empty.
const TimedSeries& fastest(const std::vector<TimedSeries>& readers);

}  // namespace kvarium
