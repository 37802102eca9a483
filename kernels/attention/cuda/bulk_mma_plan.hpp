#pragma once

#include "kernels/attention/cuda/mma_plan.hpp"

namespace kvarium {

/// Lanes that copy for one attending warp of family bulk_mma: a whole warp for rows of nhd, which are copied one by
/// one, if a thread block then has registers enough.
int lanes_per_consumer(const AttentionShape& shape, const AttentionVariant& variant);

/// Warps of a thread block that copy.
int bulk_mma_producers(const AttentionShape& shape, const AttentionVariant& variant);

/// How family bulk_mma uses registers and shared memory: each attending warp has a ring of `stages` stages.
/// Precondition: block_n is a multiple of 16 and head_size is too.
MmaPlan plan_bulk_mma(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium
