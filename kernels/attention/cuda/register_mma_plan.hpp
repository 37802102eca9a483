#pragma once

#include <cstddef>
#include <optional>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// How a warp of family register_mma uses its registers at one setting.
struct RegisterMmaPlan {
  int head_tiles_per_warp = 1;          ///< groups of 8 query heads
  bool query_in_shared_memory = false;  ///< else in registers
  int blocks_per_multiprocessor = 1;    ///< thread blocks that the compiler leaves registers for

  /// Warps that read a KV head's cells, each for query heads of its own.
  int warps_per_kv_head(int query_heads_per_kv_head) const;

  /// Static shared memory of a thread block.
  std::size_t shared_memory_bytes(const AttentionShape& shape, const AttentionVariant& variant) const;
};

/// The fastest use of registers that needs no spills, or nothing where there is none. Precondition: block_n is a
/// multiple of 16 and head_size is too.
std::optional<RegisterMmaPlan> plan_register_mma(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium
