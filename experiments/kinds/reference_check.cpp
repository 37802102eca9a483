#include "experiments/kinds/reference_check.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>

#include "core/paged_kv_cache.hpp"

namespace kvarium {
namespace {

/// The reference walks about this many cache elements a second.
constexpr std::int64_t affordable_elements = 50'000'000;

std::int64_t affordable_sequences(const PagedAttentionArguments& arguments) {
  const AttentionShape& shape = arguments.shape;
  std::int64_t elements = 0;
  for (std::int64_t sequence = 0; sequence < shape.num_sequences; ++sequence) {
    elements += std::int64_t{2} * arguments.seq_lens[sequence] * shape.num_heads * shape.cache.head_size;
    // The first one is checked whatever it costs: a variant is never timed unchecked.
    if (elements > affordable_elements) return std::max<std::int64_t>(sequence, 1);
  }
  return shape.num_sequences;
}

/// The call for one sequence and the query heads of one KV head; the parts of a batch share nothing.
PagedAttentionArguments part_of(const PagedAttentionArguments& whole, std::int64_t sequence, int kv_head) {
  const AttentionShape& shape = whole.shape;
  const int group = shape.query_heads_per_kv_head();
  const std::int64_t first_head = std::int64_t{kv_head} * group;
  const std::int64_t query_bytes = element_bytes(shape.query_type);
  const std::int64_t cache_bytes = element_bytes(shape.cache.element_type);
  PagedAttentionArguments part = whole;
  part.shape.num_sequences = 1;
  part.shape.num_heads = group;
  part.shape.cache.num_kv_heads = 1;
  part.cache.geometry = part.shape.cache;
  part.cache.key.data += kv_head * whole.cache.key.strides.kv_head * cache_bytes;
  part.cache.value.data += kv_head * whole.cache.value.strides.kv_head * cache_bytes;
  part.query = static_cast<const std::byte*>(whole.query) +
               (sequence * whole.query_row_stride() + first_head * shape.cache.head_size) * query_bytes;
  part.out = static_cast<std::byte*>(whole.out) +
             (sequence * shape.num_heads + first_head) * shape.cache.head_size * query_bytes;
  part.block_tables += sequence * shape.max_num_blocks_per_sequence;
  part.seq_lens += sequence;
  if (whole.alibi_slopes != nullptr) part.alibi_slopes += first_head;
  if (whole.sinks != nullptr) part.sinks += first_head;
  return part;
}

/// The sequential reference on all cores, part by part.
void run_reference(const PagedAttentionArguments& arguments, const AttentionVariant& reference) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  const HostExecution execution;
  const int kv_heads = arguments.shape.cache.num_kv_heads;
  Kokkos::parallel_for(
      "kvarium::run_reference", Policy(execution, 0, arguments.shape.num_sequences * kv_heads), [&](std::int64_t part) {
        paged_attention_v2(part_of(arguments, part / kv_heads, static_cast<int>(part % kv_heads)), reference);
      });
  execution.fence();
}

}  // namespace

std::vector<std::byte> run_attention(const DecodeScenario& scenario, std::int64_t layer,
                                     const AttentionVariant& variant, const Verification& verification) {
  std::vector<std::byte> output(scenario.output_bytes());
  PagedAttentionArguments arguments = scenario.arguments(layer);
  arguments.out = output.data();
  arguments.verification = verification;
  paged_attention_v2(arguments, variant);
  return output;
}

int reference_partition_size(const AttentionVariant& variant) {
  return variant.partition_size > 0 ? variant.partition_size : AttentionVariant().partition_size;
}

ReferenceOutput reference_output(const DecodeScenario& scenario, std::int64_t layer, int partition_size) {
  PagedAttentionArguments arguments = scenario.arguments(layer);
  ReferenceOutput reference;
  reference.num_sequences = affordable_sequences(arguments);
  const auto row_bytes = static_cast<std::size_t>(arguments.shape.num_heads * arguments.shape.cache.head_size *
                                                  element_bytes(arguments.shape.query_type));
  reference.rows.resize(static_cast<std::size_t>(reference.num_sequences) * row_bytes);
  arguments.shape.num_sequences = reference.num_sequences;
  arguments.out = reference.rows.data();
  run_reference(arguments, {"host_reference", partition_size});
  return reference;
}

ReferenceCheck compare_with_reference(const DecodeScenario& scenario, std::int64_t layer,
                                      const ReferenceOutput& reference, const std::vector<std::byte>& output) {
  const AttentionShape shape = scenario.arguments(layer).shape;
  ReferenceCheck check;
  check.num_sequences = reference.num_sequences;
  check.tolerance = output_tolerance(shape.query_type);
  const std::vector<std::byte> actual(output.begin(),
                                      output.begin() + static_cast<std::ptrdiff_t>(reference.rows.size()));
  check.difference = compare_outputs(actual, reference.rows, shape.query_type, shape.cache.head_size);
  return check;
}

ReferenceCheck check_with_reference(const DecodeScenario& scenario, std::int64_t layer, const AttentionVariant& variant,
                                    const std::vector<std::byte>& output) {
  const ReferenceOutput reference = reference_output(scenario, layer, reference_partition_size(variant));
  return compare_with_reference(scenario, layer, reference, output);
}

}  // namespace kvarium
