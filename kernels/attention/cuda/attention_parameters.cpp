#include "kernels/attention/cuda/attention_parameters.hpp"

#include <type_traits>

#include "core/check.hpp"
#include "kernels/checksums/cuda/mixed_keys.cuh"
#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium {
namespace {

static_assert(std::is_trivially_copyable_v<AttentionParameters>);

/// Largest partial buffers start, each, at a multiple of this.
constexpr std::int64_t alignment = 256;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Byte sizes of the three buffers.
struct PartialSizes {
  std::int64_t scalars = 0;
  std::int64_t outputs = 0;
};

PartialSizes partial_sizes(const AttentionShape& shape, const AttentionVariant& variant) {
  const std::int64_t rows =
      shape.num_sequences * shape.num_heads * num_partitions(shape.max_seq_len, variant.partition_size);
  constexpr std::int64_t float_bytes = 4;
  return {aligned(rows * float_bytes), aligned(rows * shape.cache.head_size * float_bytes)};
}

TensorStrides tensor_strides(const CacheStrides& strides) {
  return {strides.block, strides.kv_head, strides.token, strides.group};
}

void set_partials(AttentionParameters& parameters, const PartialBuffers& partials) {
  parameters.exp_sums = partials.exp_sums;
  parameters.max_logits = partials.max_logits;
  parameters.tmp_out = partials.tmp_out;
  parameters.tmp_out_in_query_type = partials.element_type == ElementType::float32 ? 0 : 1;
  parameters.max_num_partitions = static_cast<int>(partials.max_num_partitions);
}

void set_cache(AttentionParameters& parameters, const PagedCacheView& cache) {
  const bool is_scaled = is_float8(cache.geometry.element_type);
  parameters.key = cache.key.data;
  parameters.value = cache.value.data;
  parameters.key_strides = tensor_strides(cache.key.strides);
  parameters.value_strides = tensor_strides(cache.value.strides);
  parameters.k_scale = is_scaled ? cache.key_scale : 1.0F;
  parameters.v_scale = is_scaled ? cache.value_scale : 1.0F;
}

void set_tickets(AttentionParameters& parameters, const PagedAttentionArguments& arguments,
                 const AttentionVariant& variant) {
  if (variant.combine != "ticket") return;
  const std::int64_t needed = arguments.shape.num_sequences * arguments.shape.cache.num_kv_heads;
  KVARIUM_VALIDATE(arguments.workspace.num_tickets >= needed, "combine: ticket needs ", needed,
                   " tickets (num_sequences * num_kv_heads) but the workspace has ", arguments.workspace.num_tickets,
                   "; make a larger one");
  parameters.tickets = arguments.workspace.tickets;
}

void set_verification(AttentionParameters& parameters, const Verification& verification) {
  static_assert(sizeof(VerificationResult) == 3 * sizeof(unsigned long long));
  parameters.verification.expected = reinterpret_cast<const unsigned long long*>(verification.expected);
  parameters.verification.covered_tokens = verification.covered_tokens;
  parameters.verification.first_head = verification.layer * heads_per_layer_weight + verification.first_head;
  parameters.verification.result = reinterpret_cast<unsigned long long*>(verification.result);
  parameters.verification.seed_key = mixed_seed_key(verification.seed);
}

}  // namespace

std::size_t partial_bytes(const AttentionShape& shape, const AttentionVariant& variant) {
  const PartialSizes sizes = partial_sizes(shape, variant);
  return static_cast<std::size_t>(2 * sizes.scalars + sizes.outputs);
}

PartialBuffers device_partials(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  if (arguments.partials.tmp_out != nullptr) return arguments.partials;
  const std::size_t needed = partial_bytes(arguments.shape, variant);
  KVARIUM_VALIDATE(arguments.workspace.bytes >= needed, "the workspace holds ", arguments.workspace.bytes,
                   " bytes but family '", variant.family, "' needs ", needed,
                   " for these shapes; make one of workspace_bytes()");
  const PartialSizes sizes = partial_sizes(arguments.shape, variant);
  auto* const base = static_cast<std::byte*>(arguments.workspace.data);
  return {reinterpret_cast<float*>(base), reinterpret_cast<float*>(base + sizes.scalars), base + 2 * sizes.scalars,
          ElementType::float32, num_partitions(arguments.shape.max_seq_len, variant.partition_size)};
}

AttentionParameters attention_parameters(const PagedAttentionArguments& arguments, const PartialBuffers& partials,
                                         const AttentionVariant& variant) {
  AttentionParameters parameters{};
  set_partials(parameters, partials);
  set_cache(parameters, arguments.cache);
  set_tickets(parameters, arguments, variant);
  parameters.out = arguments.out;
  parameters.lse = arguments.lse;
  parameters.query = arguments.query;
  parameters.query_stride = arguments.query_row_stride();
  parameters.block_tables = arguments.block_tables;
  parameters.max_num_blocks_per_sequence = arguments.shape.max_num_blocks_per_sequence;
  parameters.seq_lens = arguments.seq_lens;
  parameters.alibi_slopes = arguments.alibi_slopes;
  parameters.sinks = arguments.sinks;
  parameters.sliding_window = arguments.sliding_window;
  parameters.num_sequences = static_cast<int>(arguments.shape.num_sequences);
  parameters.num_heads = arguments.shape.num_heads;
  parameters.num_kv_heads = arguments.shape.cache.num_kv_heads;
  parameters.scale = arguments.scale;
  parameters.softcap = arguments.softcap;
  set_verification(parameters, arguments.verification);
  return parameters;
}

}  // namespace kvarium
