#include "experiments/run/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/element_type.hpp"

namespace kvarium {
namespace {

/// Tokens of the cache: a shared prefix is stored once.
double stored_tokens(const BatchConfig& batch) {
  const auto own = static_cast<double>(batch.context_length - batch.shared_prefix_length);
  return static_cast<double>(batch.shared_prefix_length) + static_cast<double>(batch.num_sequences) * own;
}

double cache_bytes(const PointConfig& point) {
  const CacheConfig& cache = point.base.cache;
  const double cell = 2.0 * cache.head_size * element_bytes(cache.element_type);
  return stored_tokens(point.base.batch) * cell * static_cast<double>(cache.num_kv_heads) *
         static_cast<double>(cache.num_layers);
}

/// Queries of every layer, and one output.
double row_bytes(const PointConfig& point) {
  const CacheConfig& cache = point.base.cache;
  const double row = static_cast<double>(cache.num_kv_heads) * static_cast<double>(cache.query_heads_per_kv_head) *
                     cache.head_size * element_bytes(point.base.batch.query_type);
  return row * static_cast<double>(point.base.batch.num_sequences) * (static_cast<double>(cache.num_layers) + 1);
}

/// Slots (int64) and token ids (int32) of every token.
double batch_bytes(const BatchConfig& batch) {
  return 12.0 * static_cast<double>(batch.num_sequences) * static_cast<double>(batch.context_length);
}

std::string gibibytes(double bytes) { return fmt::format("{:.3g} GiB", bytes / (1024.0 * 1024.0 * 1024.0)); }

}  // namespace

double needed_bytes(const PointConfig& point) {
  // The first copy of a working set is the cache itself.
  const double caches = std::max(cache_bytes(point), static_cast<double>(point.base.workload.working_set_bytes));
  return caches + row_bytes(point) + batch_bytes(point.base.batch);
}

std::optional<std::string> memory_problem(const PointConfig& point, std::optional<std::int64_t> free_bytes) {
  const double needed = needed_bytes(point);
  if (!free_bytes || needed <= static_cast<double>(*free_bytes)) return {};
  return fmt::format(
      "out of memory: the point needs {} at least, {} are free; use fewer or shorter sequences, heads, "
      "layers, or a smaller working set",
      gibibytes(needed), gibibytes(static_cast<double>(*free_bytes)));
}

}  // namespace kvarium
