#include "kernels/attention/cuda/mma_family.hpp"

#include <array>
#include <limits>

#include "core/check.hpp"
#include "kernels/attention/cuda/attention_kernels.hpp"
#include "kernels/attention/cuda/attention_parameters.hpp"
#include "kernels/attention/cuda/cache_alignment.hpp"

namespace kvarium {
namespace {

constexpr int most_query_heads_per_kv_head = 16;
constexpr int threads_per_warp = 32;

/// Why keys, values and queries do not fit the tensor cores' operands.
std::optional<std::string> shape_refusal(const AttentionShape& shape) {
  const CacheGeometry& cache = shape.cache;
  if (shape.query_type == ElementType::float32) return "query type float32 is not for tensor cores; use v2_faithful";
  if (cache.element_type != shape.query_type && !is_float8(cache.element_type)) {
    return concatenate("the cache is ", to_string(cache.element_type), " but the query ", to_string(shape.query_type),
                       "; use a cache of the query's type or of fp8");
  }
  if (cache.head_size % 16 != 0) return concatenate("head_size ", cache.head_size, " is no multiple of 16");
  if (cache.block_size % 16 != 0) return concatenate("block_size ", cache.block_size, " is no multiple of 16");
  if (shape.query_heads_per_kv_head() > most_query_heads_per_kv_head) {
    return concatenate(shape.query_heads_per_kv_head(), " query heads share a KV head; at most ",
                       most_query_heads_per_kv_head, " can");
  }
  return std::nullopt;
}

std::optional<std::string> setting_refusal(const AttentionVariant& variant) {
  if (variant.combine == "ticket") return "it has no combine by ticket; use combine: kernel or dependent_launch";
  if (auto reason = warps_refusal(variant)) return reason;
  if (variant.block_n != 16 && variant.block_n != 32 && variant.block_n != 64) {
    return concatenate("block_n is ", variant.block_n, "; use 16, 32 or 64");
  }
  return std::nullopt;
}

bool is_persistent(const AttentionVariant& variant) { return variant.partition_size == 0; }

/// Warps that attend the same tokens, for all KV heads.
int warps_per_token(const AttentionShape& shape, const MmaPlan& plan) {
  return shape.cache.num_kv_heads * plan.warps_per_kv_head(shape.query_heads_per_kv_head());
}

}  // namespace

bool has_aligned_pieces(const PagedAttentionArguments& arguments) {
  constexpr int piece_bytes = 16;
  if (!has_aligned_pieces(arguments.cache, piece_bytes)) return false;
  auto all = static_cast<std::uintptr_t>(arguments.query_row_stride() * element_bytes(arguments.shape.query_type));
  const std::array<const void*, 3> addresses{arguments.query, arguments.out, arguments.partials.tmp_out};
  for (const void* address : addresses) all |= reinterpret_cast<std::uintptr_t>(address);
  return all % piece_bytes == 0;
}

AttentionAxes MmaFamily::axes() const {
  AttentionAxes axes;
  axes.query_heads_per_kv_head = {1, 8, 12, 16};
  axes.partition_sizes = {0, 256, 512, 1024};
  axes.block_ns = {16, 32, 64};
  axes.warps = {2, 4, 8};
  axes.combines = {"kernel", "dependent_launch"};
  axes.verifications = {"none", "weighted_sum", "mixed_sum"};
  return axes;
}

TuningAxes MmaFamily::tuning_axes() const {
  TuningAxes axes;
  axes.partition_sizes = {0, 512, 2048};
  axes.block_ns = {16, 32, 64};
  axes.warps = {2, 4, 8};
  axes.combines = {"dependent_launch", "kernel"};
  return axes;
}

std::optional<std::string> MmaFamily::design_refusal(const AttentionShape& shape,
                                                     const AttentionVariant& variant) const {
  if (auto reason = shape_refusal(shape)) return reason;
  if (auto reason = setting_refusal(variant)) return reason;
  if (auto reason = stages_refusal(variant)) return reason;
  if (!plan(shape, variant)) {
    return concatenate("a step of ", variant.block_n, " tokens of head_size ", shape.cache.head_size,
                       " takes more registers than a thread has; use a smaller block_n");
  }
  if (is_persistent(variant) &&
      shape.num_sequences * shape.max_num_blocks_per_sequence > std::numeric_limits<std::int32_t>::max()) {
    return "the block tables hold more than 2^31 blocks; split the batch";
  }
  if (num_thread_blocks(shape, variant) > std::numeric_limits<std::int32_t>::max()) {
    return "there are more than 2^31 thread blocks; use a larger partition_size";
  }
  return std::nullopt;
}

std::size_t MmaFamily::shared_memory_bytes(const AttentionShape& shape, const AttentionVariant& variant) const {
  const MmaPlan planned = *plan(shape, variant);
  return planned.query_bytes + planned.ring_bytes;
}

KernelSource MmaFamily::device_source(const AttentionShape& shape, const AttentionVariant& variant) const {
  const MmaPlan planned = *plan(shape, variant);
  VariantConstants constants = attention_constants(shape, variant);
  constants.add("head_tiles_per_warp", planned.head_tiles_per_warp)
      .add("query_in_shared_memory", planned.query_in_shared_memory)
      .add("ring_bytes", static_cast<std::int64_t>(planned.ring_bytes))
      .add("blocks_per_multiprocessor", takes_any_address() ? 1 : planned.blocks_per_multiprocessor)
      .add("pieces_are_aligned", !takes_any_address());
  const std::string folder = "kernels/attention/cuda/";
  if (is_persistent(variant)) return {folder + source_ + "_persistent.cuh", {"attend_ranges"}, constants};
  return {folder + source_ + ".cuh", {"attend_partitions"}, constants};
}

KernelSource MmaFamily::reduction_source(const AttentionShape& shape, const AttentionVariant& variant) const {
  KernelSource source = CudaAttentionFamily::reduction_source(shape, variant);
  if (!is_persistent(variant)) return source;
  source.constants.add("block_size", shape.cache.block_size);
  return {"kernels/attention/cuda/reduce_ranges.cuh", {"reduce_ranges", "reduce_few_ranges"}, source.constants};
}

std::size_t MmaFamily::workspace_bytes(const AttentionShape& shape, const AttentionVariant& variant) const {
  if (is_persistent(variant)) return schedule_of(shape, variant).workspace_bytes(shape);
  return CudaAttentionFamily::workspace_bytes(shape, variant);
}

LaunchShape MmaFamily::launch_shape(const AttentionShape& shape, const AttentionVariant& variant) const {
  LaunchShape launch;
  launch.grid[0] = static_cast<unsigned int>(num_thread_blocks(shape, variant));
  launch.block[0] = static_cast<unsigned int>(threads_per_warp * (variant.warps + serving_warps(shape, variant)));
  launch.dynamic_shared_bytes = plan(shape, variant)->ring_bytes;
  return launch;
}

void MmaFamily::run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const {
  validate_whole_pieces(arguments.cache);
  if (!takes_any_address() && !takes(arguments)) return other_form_->run(arguments, variant);
  if (is_persistent(variant)) return run_persistent(arguments, variant);
  CudaAttentionFamily::run(arguments, variant);
}

bool MmaFamily::takes(const PagedAttentionArguments& arguments) const { return has_aligned_pieces(arguments); }

RangeSchedule MmaFamily::schedule_of(const AttentionShape& shape, const AttentionVariant& variant) const {
  const MmaPlan planned = *plan(shape, variant);
  return range_schedule(variant, planned.blocks_at_once(variant.device_profile), warps_per_token(shape, planned));
}

std::int64_t MmaFamily::num_thread_blocks(const AttentionShape& shape, const AttentionVariant& variant) const {
  if (is_persistent(variant)) return schedule_of(shape, variant).num_thread_blocks;
  const std::int64_t warps = num_partitions(shape.max_seq_len, variant.partition_size) * shape.num_sequences *
                             warps_per_token(shape, *plan(shape, variant));
  return (warps + variant.warps - 1) / variant.warps;
}

void MmaFamily::run_persistent(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const {
  const AttentionShape& shape = arguments.shape;
  if (shape.num_sequences == 0) return;
  const AttentionKernels kernels = attention_kernels(*this, shape, variant);
  const RangeSchedule schedule = schedule_of(shape, variant);
  const AttentionParameters parameters = attention_parameters(arguments, schedule.partials(arguments), variant);
  kernels.attend.launch(launch_shape(shape, variant), arguments.stream, parameters, schedule.num_ranges);
  const int warps_per_row = reduction_warps_per_row(shape, schedule);
  const std::int64_t warps = shape.num_sequences * shape.num_heads * warps_per_row;
  LaunchShape reduce;
  reduce.grid[0] = static_cast<unsigned int>((warps + reduction_warps - 1) / reduction_warps);
  reduce.block[0] = threads_per_warp * reduction_warps;
  reduce.is_dependent = variant.combine == "dependent_launch";
  if (expected_parts(shape, schedule) <= few_parts) {
    kernels.reduce_few.launch(reduce, arguments.stream, parameters, schedule.num_ranges);
  } else {
    kernels.reduce.launch(reduce, arguments.stream, parameters, schedule.num_ranges, warps_per_row);
  }
}

}  // namespace kvarium
