#pragma once

#include "kernels/attention/merge_states.hpp"
#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// merge_states on device memory, on `stream` (a CUstream; null: the default stream); nothing is allocated and nothing
/// waits. Arithmetic in float32. `merged` may be one of the inputs. Errors: InputError for more than 2^31 - 1 rows,
/// NotConfigured, DriverError.
void merge_states_on_device(const AttentionState& left, const AttentionState& right, const AttentionState& merged,
                            const StateShape& shape, void* stream = nullptr);

/// The device source for such states.
KernelSource merge_states_source(const StateShape& shape);

}  // namespace kvarium
