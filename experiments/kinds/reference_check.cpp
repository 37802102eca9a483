#include "experiments/kinds/reference_check.hpp"

#include <algorithm>

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

}  // namespace

std::vector<std::byte> run_attention(const DecodeScenario& scenario, std::int64_t layer,
                                     const AttentionVariant& variant) {
  std::vector<std::byte> output(scenario.output_bytes());
  PagedAttentionArguments arguments = scenario.arguments(layer);
  arguments.out = output.data();
  paged_attention_v2(arguments, variant);
  return output;
}

ReferenceCheck check_with_reference(const DecodeScenario& scenario, std::int64_t layer, const AttentionVariant& variant,
                                    const std::vector<std::byte>& output) {
  PagedAttentionArguments arguments = scenario.arguments(layer);
  ReferenceCheck check;
  check.num_sequences = affordable_sequences(arguments);
  check.tolerance = output_tolerance(arguments.shape.query_type);
  const auto row_bytes = static_cast<std::size_t>(arguments.shape.num_heads * arguments.shape.cache.head_size *
                                                  element_bytes(arguments.shape.query_type));
  std::vector<std::byte> expected(static_cast<std::size_t>(check.num_sequences) * row_bytes);
  arguments.shape.num_sequences = check.num_sequences;
  arguments.out = expected.data();
  AttentionVariant reference{"host_reference"};
  if (variant.partition_size > 0) reference.partition_size = variant.partition_size;
  paged_attention_v2(arguments, reference);
  const std::vector<std::byte> actual(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(expected.size()));
  check.difference = compare_outputs(actual, expected, arguments.shape.query_type, arguments.shape.cache.head_size);
  return check;
}

}  // namespace kvarium
