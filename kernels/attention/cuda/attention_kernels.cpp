#include "kernels/attention/cuda/attention_kernels.hpp"

#include "kernels/cuda/kernel_table.hpp"

namespace kvarium {
namespace {

/// What kernels are compiled from: everything but counts of sequences, blocks and heads.
struct KernelKey {
  const CudaAttentionFamily* family;
  CacheLayout layout;
  ElementType query_type, cache_type;
  int head_size, block_size, query_heads_per_kv_head;
  int partition_size, block_n, stages, warps;
  std::string combine, verification;

  auto operator<=>(const KernelKey&) const = default;
};

KernelKey key_of(const CudaAttentionFamily& family, const AttentionShape& shape, const AttentionVariant& variant) {
  return {&family,
          shape.cache.layout,
          shape.query_type,
          shape.cache.element_type,
          shape.cache.head_size,
          shape.cache.block_size,
          shape.query_heads_per_kv_head(),
          variant.partition_size,
          variant.block_n,
          variant.stages,
          variant.warps,
          variant.combine,
          variant.verification};
}

AttentionKernels load(const CudaAttentionFamily& family, const AttentionShape& shape, const AttentionVariant& variant) {
  const KernelSource attend = family.device_source(shape, variant);
  AttentionKernels kernels;
  kernels.attend =
      load_kernel(attend, attend.kernels.front(), family.launch_shape(shape, variant).dynamic_shared_bytes);
  if (variant.combine == "ticket") return kernels;
  const KernelSource reduce = family.reduction_source(shape, variant);
  kernels.reduce = load_kernel(reduce, reduce.kernels.front());
  if (reduce.kernels.size() > 1) kernels.reduce_few = load_kernel(reduce, reduce.kernels.back());
  return kernels;
}

}  // namespace

AttentionKernels attention_kernels(const CudaAttentionFamily& family, const AttentionShape& shape,
                                   const AttentionVariant& variant) {
  static KernelTable<KernelKey, AttentionKernels> table;
  return table.get(key_of(family, shape, variant), [&] { return load(family, shape, variant); });
}

}  // namespace kvarium
