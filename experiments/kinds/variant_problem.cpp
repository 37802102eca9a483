#include "experiments/kinds/variant_problem.hpp"

#include <fmt/format.h>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {
namespace {

AttentionShape shape_of(const BaseConfig& base) {
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

}  // namespace

std::optional<std::string> variant_problem(const PointConfig& point) {
  const AttentionVariant& variant = point.base.variant;
  const AttentionFamily& family = attention_families().at(variant.family);
  const Device device = family.traits().device;
  if (device != point.device) {
    return fmt::format("family {} runs on device {}, not {}; choose another one of `kvarium list variants`",
                       variant.family, to_string(device), to_string(point.device));
  }
  if (variant.partition_size == 0 && !family.traits().has_persistent_schedule) {
    return fmt::format("partition_size is 0 but family {} has no persistent schedule; use a multiple of block_size",
                       variant.family);
  }
  if (variant.verifies() && !family.traits().can_verify) {
    return fmt::format("family {} cannot verify the cache; set verification: none, or choose one that can (CUDA)",
                       variant.family);
  }
  if (const auto reason = family.refusal(shape_of(point.base), variant)) {
    return fmt::format("family {} cannot run this: {}", variant.family, *reason);
  }
  return {};
}

}  // namespace kvarium
