#pragma once

#include <cstddef>
#include <optional>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// How a design on tensor cores uses registers and shared memory at one setting.
struct MmaPlan {
  int head_tiles_per_warp = 1;          ///< groups of 8 query heads
  bool query_in_shared_memory = false;  ///< else in registers
  int blocks_per_multiprocessor = 1;    ///< thread blocks that the compiler leaves registers for
  std::size_t query_bytes = 0;          ///< static shared memory of a thread block
  std::size_t ring_bytes = 0;           ///< dynamic shared memory of a thread block

  /// Warps that read a KV head's cells, each for query heads of its own.
  int warps_per_kv_head(int query_heads_per_kv_head) const;

  /// Thread blocks that a multiprocessor of the device profile runs at once. Errors: InputError for an unknown profile.
  int blocks_at_once(const std::string& profile) const;
};

/// Registers that hold operands, sums and scores of one warp, by lane; the constants of register_mma_tiles.cuh again.
struct OperandRegisters {
  int keys = 0;    ///< of one step
  int values = 0;  ///< of one step
  int sums = 0;
  int scores = 0;
  int query = 0;
};

/// Precondition: block_n is a multiple of 16 and head_size is too.
OperandRegisters operand_registers(const AttentionShape& shape, int block_n, int head_tiles);

/// Shared memory that the queries of a thread block take when they are not in registers.
std::size_t query_shared_bytes(const OperandRegisters& registers, const AttentionVariant& variant);

}  // namespace kvarium
