#include "experiments/config/combination_rules.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/check.hpp"
#include "experiments/config/checksum_rules.hpp"
#include "experiments/config/fault_rules.hpp"
#include "experiments/config/transfer_rules.hpp"

namespace kvarium {
namespace {

std::optional<std::string> geometry_problem(const BaseConfig& base) {
  const CacheGeometry geometry{base.cache.layout,     base.cache.element_type, 1,
                               base.cache.block_size, base.cache.num_kv_heads, base.cache.head_size};
  try {
    validate(geometry);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::optional<std::string> partition_problem(const BaseConfig& base) {
  if (base.variant.partition_size % base.cache.block_size == 0) return {};
  return fmt::format("partition_size {} is no multiple of block_size {}; change one of them",
                     base.variant.partition_size, base.cache.block_size);
}

std::optional<std::string> prefix_problem(const BaseConfig& base) {
  if (base.batch.shared_prefix_length <= base.batch.context_length) return {};
  return fmt::format("shared_prefix_length {} is longer than context_length {}; shorten it",
                     base.batch.shared_prefix_length, base.batch.context_length);
}

std::optional<std::string> length_problem(const BaseConfig& base) {
  if (base.batch.min_context_length <= base.batch.context_length) return {};
  return fmt::format("min_context_length {} is longer than context_length {}; shorten it",
                     base.batch.min_context_length, base.batch.context_length);
}

/// Physical blocks are numbered by 32-bit integers.
std::optional<std::string> block_count_problem(const BaseConfig& base) {
  const std::int64_t size = base.cache.block_size;
  const std::int64_t blocks = base.batch.num_sequences * ((base.batch.context_length + size - 1) / size);
  if (blocks <= std::numeric_limits<std::int32_t>::max()) return {};
  return fmt::format("num_sequences {} of context_length {} need {} blocks, more than 2147483647; use fewer",
                     base.batch.num_sequences, base.batch.context_length, blocks);
}

/// Rows of queries and outputs are numbered by 32-bit integers, each of up to 256 elements.
std::optional<std::string> query_heads_problem(const BaseConfig& base) {
  constexpr std::int64_t most = 1048576;
  const std::int64_t heads = std::int64_t{base.cache.num_kv_heads} * base.cache.query_heads_per_kv_head;
  if (heads <= most) return {};
  return fmt::format("num_kv_heads {} times query_heads_per_kv_head {} are {} query heads, more than {}; use fewer",
                     base.cache.num_kv_heads, base.cache.query_heads_per_kv_head, heads, most);
}

std::vector<CombinationRule> make_rules() {
  std::vector<CombinationRule> rules{
      {{"cache.head_size", "cache.layout", "cache.element_type"}, geometry_problem},
      {{"cache.query_heads_per_kv_head", "cache.num_kv_heads"}, query_heads_problem},
      {{"variant.partition_size", "cache.block_size"}, partition_problem},
      {{"batch.shared_prefix_length", "batch.context_length"}, prefix_problem},
      {{"batch.min_context_length", "batch.context_length"}, length_problem},
      {{"batch.num_sequences", "batch.context_length", "cache.block_size"}, block_count_problem},
  };
  for (CombinationRule& rule : fault_rules()) rules.push_back(std::move(rule));
  for (CombinationRule& rule : checksum_rules()) rules.push_back(std::move(rule));
  for (CombinationRule& rule : transfer_rules()) rules.push_back(std::move(rule));
  return rules;
}

}  // namespace

const std::vector<CombinationRule>& combination_rules() {
  static const std::vector<CombinationRule> rules = make_rules();
  return rules;
}

std::optional<std::string> combination_problem(const BaseConfig& base) {
  for (const CombinationRule& rule : combination_rules()) {
    if (auto problem = rule.problem(base)) return problem;
  }
  return {};
}

}  // namespace kvarium
