#pragma once

namespace kvarium {

/// Arguments of zero_sums; trivially copyable, read by the host's compiler and by the device's.
struct ZeroSumsParameters {
  unsigned long long* sums;  ///< [num_sums], device memory
  long long num_sums;
};

}  // namespace kvarium
