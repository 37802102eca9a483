#pragma once

#include <cstdint>

#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// Writes zeros to `sums` [num_sums], device memory, in stream order. Returns whether the next launch on the stream may
/// be a dependent one, which starts while this one runs and waits for it before it adds: on devices of compute
/// capability 9.0 and up. Errors: NotConfigured, DriverError.
bool zero_sums(std::uint64_t* sums, std::int64_t num_sums, void* stream);

/// The device source, for tests that compile it.
KernelSource zero_sums_source();

}  // namespace kvarium
