#pragma once

#include "kernels/checksums/cuda/cell_sum_parameters.cuh"

namespace kvarium {

/// Arguments of kv_canary's kernels beside the cells; trivially copyable, read by the host's compiler and by the
/// device's.
struct CanaryParameters {
  const long long* token_ids;  ///< [num_rows, block_size]; null: none are known
  int hashed_bytes;            ///< of a token's row in one buffer
  int is_value;                ///< whether this launch takes the V of its layers; else their K
};

}  // namespace kvarium
