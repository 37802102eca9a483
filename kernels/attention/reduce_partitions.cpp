#include "kernels/attention/reduce_partitions.hpp"

#include <array>

#include "core/check.hpp"
#include "core/element_conversion.hpp"
#include "core/softmax_state.hpp"

namespace kvarium {
namespace {

constexpr int largest_head_size = 256;
using Accumulator = std::array<double, largest_head_size>;

SoftmaxState<double> stored_state(const PartialBuffers& partials, std::int64_t row) {
  return {partials.max_logits[row], partials.exp_sums[row]};
}

/// Sum over the partitions; the sink joins a sequence that has tokens.
SoftmaxState<double> total_state(const PagedAttentionArguments& arguments, const PartialBuffers& partials,
                                 const PartitionRange& range) {
  SoftmaxState<double> total;
  for (std::int64_t partition = range.first; partition < range.last; ++partition) {
    const std::int64_t row = partial_row(arguments.shape, partials, {range.sequence, range.head, partition});
    total = merge(total, stored_state(partials, row));
  }
  if (arguments.sinks != nullptr && range.last > range.first) {
    total = merge(total, SoftmaxState<double>{arguments.sinks[range.head], 1.0});
  }
  return total;
}

/// Adds weight * (partition output) to the accumulator.
void accumulate(const PartialBuffers& partials, std::int64_t row, int head_size, double weight, Accumulator& sums) {
  const std::int64_t first = row * head_size;
  if (partials.element_type == ElementType::float32) {
    const float* output = static_cast<const float*>(partials.tmp_out) + first;
    for (int e = 0; e < head_size; ++e) sums[static_cast<std::size_t>(e)] += weight * static_cast<double>(output[e]);
    return;
  }
  for (int e = 0; e < head_size; ++e) {
    sums[static_cast<std::size_t>(e)] +=
        weight * static_cast<double>(load_element(partials.tmp_out, first + e, partials.element_type));
  }
}

}  // namespace

PartitionRange visible_partitions(const PagedAttentionArguments& arguments, std::int64_t partition_size,
                                  std::int64_t sequence) {
  const std::int64_t length = arguments.seq_lens[sequence];
  return {sequence, 0, first_visible_token(length, arguments.sliding_window) / partition_size,
          num_partitions(length, partition_size)};
}

void reduce_partitions(const PagedAttentionArguments& arguments, const PartialBuffers& partials,
                       const PartitionRange& range) {
  const int head_size = arguments.shape.cache.head_size;
  KVARIUM_EXPECT(head_size <= largest_head_size);
  const SoftmaxState<double> total = total_state(arguments, partials, range);
  Accumulator sums{};
  for (std::int64_t partition = range.first; partition < range.last; ++partition) {
    const std::int64_t row = partial_row(arguments.shape, partials, {range.sequence, range.head, partition});
    accumulate(partials, row, head_size, stored_state(partials, row).weight_under(total.maximum), sums);
  }
  const double factor = total.is_empty() ? 0.0 : 1.0 / total.sum;
  const std::int64_t out_row = range.sequence * arguments.shape.num_heads + range.head;
  for (int e = 0; e < head_size; ++e) {
    store_element(arguments.out, out_row * head_size + e, arguments.shape.query_type,
                  static_cast<float>(sums[static_cast<std::size_t>(e)] * factor));
  }
  if (arguments.lse != nullptr) arguments.lse[out_row] = static_cast<float>(total.log_sum_exp());
}

}  // namespace kvarium
