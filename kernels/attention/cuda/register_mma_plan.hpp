#pragma once

#include "kernels/attention/cuda/mma_plan.hpp"

namespace kvarium {

/// The fastest use of registers by family register_mma that needs no spills, or nothing where there is none.
/// Precondition: block_n is a multiple of 16 and head_size is too.
std::optional<MmaPlan> plan_register_mma(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium
