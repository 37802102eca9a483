#pragma once

#include "kernels/attention/attention_family.hpp"
#include "kernels/attention/cuda/attention_parameters.cuh"

namespace kvarium {

/// The caller's partial buffers, or float32 ones in the caller's workspace. Errors: InputError when the workspace is
/// too small.
PartialBuffers device_partials(const PagedAttentionArguments& arguments, const AttentionVariant& variant);

/// Bytes of float32 partial buffers for every (sequence, head, partition).
std::size_t partial_bytes(const AttentionShape& shape, const AttentionVariant& variant);

/// The arguments as kernels take them. Errors: InputError where combining by ticket has too few tickets.
AttentionParameters attention_parameters(const PagedAttentionArguments& arguments, const PartialBuffers& partials,
                                         const AttentionVariant& variant);

}  // namespace kvarium
