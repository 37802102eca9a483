#include "kernels/attention/cuda/bulk_mma_plan.hpp"

#include <algorithm>

#include "core/rounding.hpp"
#include "kernels/attention/cuda/staged_mma_plan.hpp"

namespace kvarium {
namespace {

/// The constants of bulk_mma_slabs.cuh again.
int stage_bytes(const AttentionShape& shape, const AttentionVariant& variant) {
  const CacheGeometry& cache = shape.cache;
  const bool holds_whole_blocks = cache.layout == CacheLayout::split_x;
  const int tokens = holds_whole_blocks ? std::max(cache.block_size, variant.block_n) : variant.block_n;
  const int row_padding = cache.layout == CacheLayout::nhd ? 16 : 0;
  return 2 * tokens * (cache.head_size * element_bytes(cache.element_type) + row_padding);
}

}  // namespace

int lanes_per_consumer(const AttentionShape& shape, const AttentionVariant& variant) {
  if (shape.cache.layout != CacheLayout::nhd) return 8;
  constexpr int most_producers = 4;
  return variant.warps <= most_producers ? 32 : 16;
}

int bulk_mma_producers(const AttentionShape& shape, const AttentionVariant& variant) {
  return divide_up(variant.warps * lanes_per_consumer(shape, variant), 32);
}

MmaPlan plan_bulk_mma(const AttentionShape& shape, const AttentionVariant& variant) {
  constexpr int barrier_bytes_per_stage = 16;
  constexpr int position_bytes = 8;
  const int ring_bytes = variant.stages * (stage_bytes(shape, variant) + barrier_bytes_per_stage) + position_bytes;
  return plan_shared_operands(shape, variant, static_cast<std::size_t>(variant.warps * ring_bytes),
                              bulk_mma_producers(shape, variant));
}

}  // namespace kvarium
