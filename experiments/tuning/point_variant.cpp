#include "experiments/tuning/point_variant.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/tuning/stored_tunings.hpp"

namespace kvarium {

AttentionShape attention_shape(const BaseConfig& base) {
  const CacheConfig& cache = base.cache;
  AttentionShape shape;
  shape.num_sequences = base.batch.num_sequences;
  shape.num_heads = cache.num_kv_heads * cache.query_heads_per_kv_head;
  shape.max_seq_len = base.batch.context_length;
  shape.max_num_blocks_per_sequence = num_partitions(shape.max_seq_len, cache.block_size);
  shape.query_type = base.batch.query_type;
  shape.cache = {cache.layout, cache.element_type, 0, cache.block_size, cache.num_kv_heads, cache.head_size};
  return shape;
}

std::int64_t attended_tokens(const BaseConfig& base) {
  const BatchConfig& batch = base.batch;
  auto tokens = static_cast<double>(batch.context_length);
  if (batch.min_context_length > 0 && batch.min_context_length < batch.context_length) {
    const auto shortest = static_cast<double>(batch.min_context_length);
    tokens = (tokens - shortest) / std::log(tokens / shortest);
  }
  const auto whole = static_cast<std::int64_t>(std::llround(tokens));
  return batch.sliding_window > 0 ? std::min(whole, batch.sliding_window) : whole;
}

VariantRequest variant_request(const PointConfig& point) {
  return {attention_shape(point.base), point.device, point.base.variant, attended_tokens(point.base)};
}

bool leaves_variant_open(const PointConfig& point) { return point.base.variant.family == auto_family; }

VariantChoice point_variant(const PointConfig& point, SpillCheck check) {
  if (!leaves_variant_open(point)) return {point.base.variant, "given"};
  return choose_variant(variant_request(point), stored_tunings(point.device), check);
}

PointConfig with_variant(PointConfig point, const AttentionVariant& variant) {
  point.base.variant = variant;
  return point;
}

}  // namespace kvarium
