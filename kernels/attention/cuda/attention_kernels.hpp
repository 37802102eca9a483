#pragma once

#include "kernels/attention/cuda_attention_family.hpp"

namespace kvarium {

/// The loaded kernels of one variant. `reduce` is empty when partitions are combined by ticket; `reduce_few` is the
/// persistent schedule's alone.
struct AttentionKernels {
  DeviceKernel attend;
  DeviceKernel reduce;
  DeviceKernel reduce_few;  ///< for sequences in few ranges
};

/// Compiles and loads on first use in a context, then only looks up: without an allocation, in well below a
/// microsecond. Thread-safe. Errors: NotConfigured, InputError with the compiler's log, DriverError.
AttentionKernels attention_kernels(const CudaAttentionFamily& family, const AttentionShape& shape,
                                   const AttentionVariant& variant);

}  // namespace kvarium
