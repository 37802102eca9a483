#include "tests/support/attention_oracle.hpp"

#include <cmath>
#include <limits>
#include <ostream>

#include "core/element_conversion.hpp"

namespace kvarium::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// K or V of one token and KV head, with its scale.
std::vector<double> token_vector(const PagedAttentionArguments& arguments, const CacheTensor& tensor, float scale,
                                 std::int64_t sequence, std::int64_t token, std::int64_t kv_head) {
  const CacheGeometry& cache = arguments.shape.cache;
  const std::int32_t block =
      arguments.block_tables[sequence * arguments.shape.max_num_blocks_per_sequence + token / cache.block_size];
  std::vector<double> values;
  for (int e = 0; e < cache.head_size; ++e) {
    const CacheStrides& s = tensor.strides;
    const std::int64_t index = block * s.block + kv_head * s.kv_head + token % cache.block_size * s.token +
                               e / s.group_size * s.group + e % s.group_size * s.element;
    values.push_back(static_cast<double>(load_element(tensor.data, index, cache.element_type)) *
                     static_cast<double>(scale));
  }
  return values;
}

double logit_of(const PagedAttentionArguments& arguments, std::int64_t sequence, std::int64_t head,
                std::int64_t token) {
  const AttentionShape& shape = arguments.shape;
  const std::int64_t kv_head = head / (shape.num_heads / shape.cache.num_kv_heads);
  const auto key = token_vector(arguments, arguments.cache.key, arguments.cache.key_scale, sequence, token, kv_head);
  const std::int64_t stride = arguments.query_stride != 0 ? arguments.query_stride
                                                          : std::int64_t{shape.num_heads} * shape.cache.head_size;
  double logit = 0;
  for (std::size_t e = 0; e < key.size(); ++e) {
    const std::int64_t index = sequence * stride + head * shape.cache.head_size + static_cast<std::int64_t>(e);
    logit += key[e] * static_cast<double>(load_element(arguments.query, index, shape.query_type));
  }
  logit *= static_cast<double>(arguments.scale);
  const auto cap = static_cast<double>(arguments.softcap);
  if (cap > 0) logit = cap * std::tanh(logit / cap);
  if (arguments.alibi_slopes != nullptr) {
    logit += static_cast<double>(arguments.alibi_slopes[head]) *
             static_cast<double>(token - (arguments.seq_lens[sequence] - 1));
  }
  return logit;
}

void attend(const PagedAttentionArguments& arguments, std::int64_t sequence, std::int64_t head, OracleResult& result) {
  const AttentionShape& shape = arguments.shape;
  const std::int64_t length = arguments.seq_lens[sequence];
  const std::int64_t window = arguments.sliding_window;
  const std::int64_t first = window > 0 ? std::max<std::int64_t>(0, length - window) : 0;
  std::vector<double> logits;
  double maximum = -infinity;
  for (std::int64_t token = first; token < length; ++token) {
    logits.push_back(logit_of(arguments, sequence, head, token));
    maximum = std::max(maximum, logits.back());
  }
  if (arguments.sinks != nullptr) maximum = std::max(maximum, static_cast<double>(arguments.sinks[head]));
  double sum = arguments.sinks != nullptr ? std::exp(static_cast<double>(arguments.sinks[head]) - maximum) : 0.0;
  for (double logit : logits) sum += std::exp(logit - maximum);
  const std::int64_t row = sequence * shape.num_heads + head;
  if (length == 0) return;
  result.lse[static_cast<std::size_t>(row)] = maximum + std::log(sum);
  for (std::int64_t token = first; token < length; ++token) {
    const double weight = std::exp(logits[static_cast<std::size_t>(token - first)] - maximum) / sum;
    const auto value = token_vector(arguments, arguments.cache.value, arguments.cache.value_scale, sequence, token,
                                    head / (shape.num_heads / shape.cache.num_kv_heads));
    for (std::size_t e = 0; e < value.size(); ++e) {
      result.out[static_cast<std::size_t>(row * shape.cache.head_size) + e] += weight * value[e];
    }
  }
}

}  // namespace

OracleResult attention_oracle(const PagedAttentionArguments& arguments) {
  const AttentionShape& shape = arguments.shape;
  const auto rows = static_cast<std::size_t>(shape.num_sequences * shape.num_heads);
  OracleResult result{std::vector<double>(rows * static_cast<std::size_t>(shape.cache.head_size), 0.0),
                      std::vector<double>(rows, -infinity)};
  for (std::int64_t sequence = 0; sequence < shape.num_sequences; ++sequence) {
    for (std::int64_t head = 0; head < shape.num_heads; ++head) attend(arguments, sequence, head, result);
  }
  return result;
}

std::ostream& operator<<(std::ostream& stream, const WorstRow& worst) {
  return stream << "relative L2 " << worst.error << " in row " << worst.row << ", largest difference at element "
                << worst.element << ": " << worst.actual << " instead of " << worst.expected;
}

WorstRow worst_row(const void* out, ElementType type, const std::vector<double>& expected, int head_size) {
  WorstRow worst;
  for (std::size_t first = 0; first < expected.size(); first += static_cast<std::size_t>(head_size)) {
    double squares = 0, norm = 0, largest = -1;
    WorstRow row;
    for (std::size_t e = first; e < first + static_cast<std::size_t>(head_size); ++e) {
      const auto actual = static_cast<double>(load_element(out, static_cast<std::int64_t>(e), type));
      const double difference = std::abs(actual - expected[e]);
      squares += difference * difference;
      norm += expected[e] * expected[e];
      if (!(difference <= largest)) {
        largest = difference;
        row = {0, static_cast<std::int64_t>(first) / head_size, static_cast<std::int64_t>(e - first), actual,
               expected[e]};
      }
    }
    row.error = norm == 0 ? (squares == 0 ? 0.0 : infinity) : std::sqrt(squares / norm);
    // NaN counts as worst.
    if (!(row.error <= worst.error)) worst = row;
    if (std::isnan(worst.error)) return worst;
  }
  return worst;
}

double tolerance(ElementType query_type) {
  if (query_type == ElementType::float32) return 1e-5;
  return query_type == ElementType::float16 ? 2e-3 : 1e-2;
}

}  // namespace kvarium::test
