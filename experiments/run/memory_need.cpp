#include "experiments/run/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/element_type.hpp"
#include "experiments/config/batch_lengths.hpp"
#include "experiments/plan/point_identity.hpp"

namespace kvarium {
namespace {

/// Tokens of a batch as they are drawn for the point.
struct TokenCounts {
  double all = 0;
  double stored = 0;  ///< a shared prefix once
};

TokenCounts count_tokens(const PointConfig& point) {
  const BatchConfig& batch = point.base.batch;
  const RandomKey key{point.seed, stimulus_id(point)};
  TokenCounts counts;
  std::int64_t longest_shared = 0;
  for (const std::int64_t length : draw_lengths(batch_lengths(batch), batch.num_sequences, key)) {
    const std::int64_t shared = std::min(length, batch.shared_prefix_length);
    longest_shared = std::max(longest_shared, shared);
    counts.all += static_cast<double>(length);
    counts.stored += static_cast<double>(length - shared);
  }
  counts.stored += static_cast<double>(longest_shared);
  return counts;
}

/// As many as any draw can give.
TokenCounts most_tokens(const BatchConfig& batch) {
  const double tokens = static_cast<double>(batch.num_sequences) * static_cast<double>(batch.context_length);
  return {tokens, tokens};
}

double cache_bytes(const CacheConfig& cache, double tokens) {
  const double cell = 2.0 * cache.head_size * element_bytes(cache.element_type);
  return tokens * cell * static_cast<double>(cache.num_kv_heads) * static_cast<double>(cache.num_layers);
}

/// Queries of every layer, and one output.
double row_bytes(const PointConfig& point) {
  const CacheConfig& cache = point.base.cache;
  const double row = static_cast<double>(cache.num_kv_heads) * static_cast<double>(cache.query_heads_per_kv_head) *
                     cache.head_size * element_bytes(point.base.batch.query_type);
  return row * static_cast<double>(point.base.batch.num_sequences) * (static_cast<double>(cache.num_layers) + 1);
}

/// Caches, rows, slots and token ids.
double bytes_of(const PointConfig& point, const TokenCounts& tokens) {
  double caches = cache_bytes(point.base.cache, tokens.stored);
  // The first copy of a working set is the cache itself; those of a GPU are in its own memory.
  if (point.device == Device::cpu)
    caches = std::max(caches, static_cast<double>(point.base.workload.working_set_bytes));
  constexpr double slot_and_token_id_bytes = 8 + 4;
  return caches + row_bytes(point) + slot_and_token_id_bytes * tokens.all;
}

std::string gibibytes(double bytes) { return fmt::format("{:.3g} GiB", bytes / (1024.0 * 1024.0 * 1024.0)); }

}  // namespace

double needed_bytes(const PointConfig& point) { return bytes_of(point, count_tokens(point)); }

double most_needed_bytes(const PointConfig& point) { return bytes_of(point, most_tokens(point.base.batch)); }

std::optional<std::string> memory_problem(const PointConfig& point, std::optional<std::int64_t> free_bytes) {
  const double needed = needed_bytes(point);
  if (!free_bytes || needed <= static_cast<double>(*free_bytes)) return {};
  return fmt::format(
      "out of memory: the point needs {} at least, {} are free; use fewer or shorter sequences, heads, "
      "layers, or a smaller working set",
      gibibytes(needed), gibibytes(static_cast<double>(*free_bytes)));
}

}  // namespace kvarium
