#pragma once

#include "core/random.hpp"
#include "experiments/config/point_config.hpp"

namespace kvarium::test {

inline constexpr RandomKey small_key{7, 8};

/// Two sequences of 40 tokens in two layers, one bit flip a trial.
inline PointConfig small_point() {
  PointConfig point;
  point.kind = "fault_impact";
  point.base.cache = {.layout = CacheLayout::hnd,
                      .head_size = 16,
                      .block_size = 16,
                      .num_kv_heads = 2,
                      .query_heads_per_kv_head = 2,
                      .num_layers = 2};
  point.base.batch.num_sequences = 2;
  point.base.batch.context_length = 40;
  point.base.variant.partition_size = 32;
  point.base.checksum.family = "weighted_sum";
  point.base.fault.model = "single_bit_flip";
  return point;
}

}  // namespace kvarium::test
