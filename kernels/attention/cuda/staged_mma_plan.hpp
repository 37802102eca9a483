#pragma once

#include "kernels/attention/cuda/mma_plan.hpp"

namespace kvarium {

/// How a design uses registers that reads its operands from `ring_bytes` of dynamic shared memory just before it
/// multiplies them. `serving_warps`: of a thread block, beside those that attend. Precondition: block_n is a multiple
/// of 16 and head_size is too.
MmaPlan plan_shared_operands(const AttentionShape& shape, const AttentionVariant& variant, std::size_t ring_bytes,
                             int serving_warps);

/// How family staged_mma uses registers and shared memory: each warp has a ring of `stages` steps. Same precondition.
MmaPlan plan_staged_mma(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium
