#include "kernels/attention/cuda/attention_kernels.hpp"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "kernels/cuda/context.hpp"

namespace kvarium {
namespace {

/// What kernels are compiled from: everything but counts of sequences, blocks and heads.
struct KernelKey {
  const void* context;
  const CudaAttentionFamily* family;
  CacheLayout layout;
  ElementType query_type, cache_type;
  int head_size, block_size, query_heads_per_kv_head;
  int partition_size, block_n, stages, warps;
  std::string combine;

  auto operator<=>(const KernelKey&) const = default;
};

KernelKey key_of(const CudaAttentionFamily& family, const AttentionShape& shape, const AttentionVariant& variant) {
  return {ensure_context(),         &family,
          shape.cache.layout,       shape.query_type,
          shape.cache.element_type, shape.cache.head_size,
          shape.cache.block_size,   shape.query_heads_per_kv_head(),
          variant.partition_size,   variant.block_n,
          variant.stages,           variant.warps,
          variant.combine};
}

AttentionKernels load(const CudaAttentionFamily& family, const AttentionShape& shape, const AttentionVariant& variant) {
  const KernelSource attend = family.device_source(shape, variant);
  AttentionKernels kernels;
  kernels.attend =
      load_kernel(attend, attend.kernels.front(), family.launch_shape(shape, variant).dynamic_shared_bytes);
  if (variant.combine == "ticket") return kernels;
  const KernelSource reduce = family.reduction_source(shape, variant);
  kernels.reduce = load_kernel(reduce, reduce.kernels.front());
  return kernels;
}

}  // namespace

AttentionKernels attention_kernels(const CudaAttentionFamily& family, const AttentionShape& shape,
                                   const AttentionVariant& variant) {
  static std::shared_mutex mutex;
  static std::map<KernelKey, AttentionKernels> known;
  const KernelKey key = key_of(family, shape, variant);
  {
    const std::shared_lock lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const AttentionKernels kernels = load(family, shape, variant);
  const std::unique_lock lock(mutex);
  return known.emplace(key, kernels).first->second;
}

}  // namespace kvarium
