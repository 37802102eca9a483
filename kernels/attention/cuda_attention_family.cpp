#include "kernels/attention/cuda_attention_family.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "kernels/attention/cuda/attention_kernels.hpp"
#include "kernels/attention/cuda/attention_parameters.hpp"
#include "kernels/cuda/device_profile.hpp"

namespace kvarium {
namespace {

/// Why no family can launch that shape: CUDA's grids end there, and the arguments are 32-bit.
std::optional<std::string> size_refusal(const AttentionShape& shape, const AttentionVariant& variant) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (shape.num_sequences > most / shape.num_heads) {
    return concatenate("num_sequences * num_heads is above ", most, "; split the batch");
  }
  if (variant.partition_size > 0 && num_partitions(shape.max_seq_len, variant.partition_size) > most)
    return "there are more than 2^31 - 1 partitions; use a larger partition_size";
  const auto& names = combine_names();
  if (std::find(names.begin(), names.end(), variant.combine) == names.end()) {
    return concatenate("combine '", variant.combine, "' is not known; use one of ", join(names));
  }
  return std::nullopt;
}

}  // namespace

Architecture CudaAttentionFamily::minimum_architecture(const AttentionVariant& variant) const {
  return variant.combine == "dependent_launch" ? Architecture{9, 0} : Architecture{8, 0};
}

std::optional<std::string> CudaAttentionFamily::refusal(const AttentionShape& shape,
                                                        const AttentionVariant& variant) const {
  if (variant.partition_size == 0 && !traits().has_persistent_schedule) {
    return "it has no persistent schedule (partition_size 0); use a positive multiple of block_size";
  }
  if (variant.verifies() && !traits().can_verify) return "it cannot verify the cache; set verification: none";
  if (auto reason = size_refusal(shape, variant)) return reason;
  if (auto reason = design_refusal(shape, variant)) return reason;
  const DeviceProfile profile = device_profile(variant.device_profile);
  const Architecture needed = minimum_architecture(variant);
  if (!profile.architecture.is_at_least(needed)) {
    return concatenate("it needs ", needed.name(), " but device profile ", profile.name, " is ",
                       profile.architecture.name());
  }
  const std::size_t bytes = shared_memory_bytes(shape, variant);
  if (bytes > static_cast<std::size_t>(profile.shared_memory_per_block)) {
    return concatenate("it needs ", bytes, " bytes of shared memory in a thread block but device profile ",
                       profile.name, " grants ", profile.shared_memory_per_block);
  }
  return std::nullopt;
}

KernelSource CudaAttentionFamily::reduction_source(const AttentionShape& shape, const AttentionVariant& variant) const {
  return reduce_source(shape, variant);
}

std::size_t CudaAttentionFamily::workspace_bytes(const AttentionShape& shape, const AttentionVariant& variant) const {
  return partial_bytes(shape, variant);
}

void CudaAttentionFamily::run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const {
  const AttentionShape& shape = arguments.shape;
  if (shape.num_sequences == 0) return;
  const AttentionKernels kernels = attention_kernels(*this, shape, variant);
  const AttentionParameters parameters = attention_parameters(arguments, device_partials(arguments, variant), variant);
  // Without a second kernel the first one answers for empty sequences too.
  const bool is_only_kernel = kernels.reduce.function == nullptr;
  if (shape.max_seq_len > 0 || is_only_kernel) {
    kernels.attend.launch(launch_shape(shape, variant), arguments.stream, parameters);
  }
  if (is_only_kernel) return;
  LaunchShape reduce;
  reduce.grid[0] = static_cast<unsigned int>(shape.num_sequences * shape.num_heads);
  reduce.block[0] = reduce_threads;
  reduce.is_dependent = variant.combine == "dependent_launch" && shape.max_seq_len > 0;
  kernels.reduce.launch(reduce, arguments.stream, parameters);
}

const CudaAttentionFamily* find_cuda_attention_family(const std::string& name) {
  return dynamic_cast<const CudaAttentionFamily*>(attention_families().find(name));
}

std::optional<std::string> warps_refusal(const AttentionVariant& variant) {
  if (variant.warps == 1 || variant.warps == 2 || variant.warps == 4 || variant.warps == 8) return std::nullopt;
  return concatenate("warps is ", variant.warps, "; use 1, 2, 4 or 8");
}

VariantConstants attention_constants(const AttentionShape& shape, const AttentionVariant& variant) {
  VariantConstants constants;
  constants.add("layout", shape.cache.layout)
      .add("query_type", shape.query_type)
      .add("cache_type", shape.cache.element_type)
      .add("head_size", shape.cache.head_size)
      .add("block_size", shape.cache.block_size)
      .add("query_heads_per_kv_head", shape.query_heads_per_kv_head())
      .add("partition_size", variant.partition_size)
      .add("block_n", variant.block_n)
      .add("stages", variant.stages)
      .add("warps", variant.warps)
      .add("combines_by_ticket", variant.combine == "ticket")
      .add("launches_dependents", variant.combine == "dependent_launch")
      .add("verifies", variant.verifies())
      .add("checksum", parse_slice_checksum(variant.verification));
  return constants;
}

KernelSource reduce_source(const AttentionShape& shape, const AttentionVariant& variant) {
  VariantConstants constants;
  constants.add("query_type", shape.query_type)
      .add("head_size", shape.cache.head_size)
      .add("partition_size", variant.partition_size)
      .add("launches_dependents", variant.combine == "dependent_launch");
  return {"kernels/attention/cuda/reduce_partitions.cuh", {"reduce_partitions"}, constants};
}

}  // namespace kvarium
