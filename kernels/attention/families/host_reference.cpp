#include <algorithm>
#include <cmath>
#include <vector>

#include "core/element_conversion.hpp"
#include "core/softmax_state.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/attention/host/slice_verifier.hpp"
#include "kernels/attention/logit_transform.hpp"
#include "kernels/attention/partial_buffers.hpp"
#include "kernels/attention/reduce_partitions.hpp"

namespace kvarium {
namespace {

/// One (sequence, query head): everything its loops need.
struct HeadTask {
  const PagedAttentionArguments* arguments = nullptr;
  PartialBuffers partials;
  std::int64_t partition_size = 0;
  std::int64_t sequence = 0;
  std::int64_t head = 0;

  std::int64_t length() const { return arguments->seq_lens[sequence]; }
  std::int64_t head_size() const { return arguments->shape.cache.head_size; }
  std::int64_t kv_head() const { return head / arguments->shape.query_heads_per_kv_head(); }
};

/// One element of K or V through the block table.
double cache_element(const HeadTask& task, const CacheTensor& tensor, std::int64_t token, std::int64_t e) {
  const AttentionShape& shape = task.arguments->shape;
  const std::int64_t block = task.arguments->block_tables[task.sequence * shape.max_num_blocks_per_sequence +
                                                          token / shape.cache.block_size];
  const std::int64_t offset =
      tensor.strides.offset(block, task.kv_head(), token % shape.cache.block_size, e);
  return static_cast<double>(load_element(tensor.data, offset, shape.cache.element_type));
}

double logit(const HeadTask& task, std::int64_t token) {
  const PagedAttentionArguments& arguments = *task.arguments;
  const std::int64_t row = task.sequence * arguments.query_row_stride() + task.head * task.head_size();
  double product = 0;
  for (std::int64_t e = 0; e < task.head_size(); ++e) {
    const auto query = static_cast<double>(load_element(arguments.query, row + e, arguments.shape.query_type));
    product += query * cache_element(task, arguments.cache.key, token, e);
  }
  LogitTransform<double> transform;
  transform.scale = static_cast<double>(arguments.scale) * static_cast<double>(arguments.cache.key_scale);
  transform.softcap = static_cast<double>(arguments.softcap);
  if (arguments.alibi_slopes != nullptr) transform.alibi_slope = static_cast<double>(arguments.alibi_slopes[task.head]);
  transform.sequence_length = task.length();
  return transform(product, token);
}

/// Maximum and sum of exponentials. The maximum is stored in float32; a sum relative to the rounded maximum
/// keeps the stored pair exact (where rounding moves it by so much that exp would overflow, nothing is left to keep).
SoftmaxState<double> softmax_state(const std::vector<double>& logits) {
  SoftmaxState<double> state;
  for (double value : logits) state = merge(state, SoftmaxState<double>{value, 1.0});
  const auto rounded = static_cast<double>(static_cast<float>(state.maximum));
  if (std::abs(rounded - state.maximum) < 1.0) state = {rounded, state.weight_under(rounded)};
  return state;
}

/// Phase 1: softmax over one partition's visible tokens; writes normalised output, maximum and sum.
void attend_partition(const HeadTask& task, std::int64_t partition) {
  const std::int64_t visible = first_visible_token(task.length(), task.arguments->sliding_window);
  const std::int64_t first = std::max(partition * task.partition_size, visible);
  const std::int64_t last = std::min((partition + 1) * task.partition_size, task.length());
  std::vector<double> logits;
  for (std::int64_t token = first; token < last; ++token) logits.push_back(logit(task, token));
  const SoftmaxState<double> state = softmax_state(logits);
  std::vector<double> output(static_cast<std::size_t>(task.head_size()), 0.0);
  for (std::int64_t token = first; token < last; ++token) {
    const double weight = std::exp(logits[static_cast<std::size_t>(token - first)] - state.maximum) / state.sum;
    for (std::int64_t e = 0; e < task.head_size(); ++e) {
      output[static_cast<std::size_t>(e)] += weight * cache_element(task, task.arguments->cache.value, token, e);
    }
  }
  const auto value_scale = static_cast<double>(task.arguments->cache.value_scale);
  const std::int64_t row = partial_row(task.arguments->shape, task.partials, {task.sequence, task.head, partition});
  task.partials.max_logits[row] = static_cast<float>(state.maximum);
  task.partials.exp_sums[row] = static_cast<float>(state.sum);
  for (std::int64_t e = 0; e < task.head_size(); ++e) {
    store_element(task.partials.tmp_out, row * task.head_size() + e, task.partials.element_type,
                  static_cast<float>(output[static_cast<std::size_t>(e)] * value_scale));
  }
}

/// Sequential and plain, all arithmetic in float64: what every other family is compared with.
class HostReference final : public AttentionFamily {
 public:
  AttentionTraits traits() const override {
    AttentionTraits traits{"sequential reference, float64 arithmetic", Device::cpu, true, false};
    traits.is_reference = true;
    traits.can_verify = true;
    return traits;
  }

  std::optional<std::string> refusal(const AttentionShape&, const AttentionVariant&) const override { return {}; }

  void run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const override {
    const PartialStorage storage(arguments, variant.partition_size);
    const host::SliceVerifier verifier(arguments, variant);
    const int group = arguments.shape.query_heads_per_kv_head();
    HeadTask task{&arguments, storage.buffers(), variant.partition_size, 0, 0};
    for (task.sequence = 0; task.sequence < arguments.shape.num_sequences; ++task.sequence) {
      PartitionRange range = visible_partitions(arguments, variant.partition_size, task.sequence);
      for (task.head = 0; task.head < arguments.shape.num_heads; ++task.head) {
        range.head = task.head;
        for (std::int64_t partition = range.first; partition < range.last; ++partition) {
          attend_partition(task, partition);
          // Further query heads of a KV head read the same cells.
          if (task.head % group == 0) {
            verifier.verify({task.sequence, task.kv_head(), partition}, variant.partition_size);
          }
        }
        reduce_partitions(arguments, task.partials, range);
      }
    }
  }
};

}  // namespace

void register_host_reference(Registry<AttentionFamily>& registry) {
  registry.add("host_reference", std::make_unique<HostReference>());
}

}  // namespace kvarium
