#include "kernels/attention/cuda/staged_mma_plan.hpp"

#include <algorithm>

namespace kvarium {
namespace {

// The figures of this plan are fitted to the compiler: with them the settings of the compile tests keep their
// registers for sm_80, sm_90a and sm_100, but for those that the pairwise one prints as spilling.

/// Registers of sums, scores and queries that leave enough of the 255 for operands on their way from shared memory.
constexpr int most_lasting_registers = 144;

/// Operands on their way from shared memory, addresses and the sums of slices. The same whether a variant verifies or
/// not: the cuts of sequences and the heads of a warp, and with them the bits of the result, depend on it.
constexpr int passing_registers = 112;

/// Estimates up to here compile into the 255 registers of a thread: not all that is counted lives at once.
constexpr int most_estimated_registers = 270;

/// An estimate from above: what lasts, weights beside scores, and what passes.
int registers_needed(const OperandRegisters& registers, int query_registers) {
  return registers.sums + query_registers + 2 * registers.scores + passing_registers;
}

/// Warps that a multiprocessor's 65536 registers are shared by.
int warps_per_multiprocessor(int registers) {
  if (registers <= 128) return 16;
  return registers <= 168 ? 12 : 8;
}

/// Thread blocks that shared memory holds on any device there is; more need no registers. The device profile is left
/// out: kernels are kept without it.
int most_blocks(const MmaPlan& plan) {
  constexpr std::size_t largest_shared_memory = 228 * 1024;
  constexpr std::size_t reserved = 1024;
  return static_cast<int>(largest_shared_memory / (plan.query_bytes + plan.ring_bytes + reserved));
}

}  // namespace

MmaPlan plan_shared_operands(const AttentionShape& shape, const AttentionVariant& variant, std::size_t ring_bytes,
                             int serving_warps) {
  MmaPlan plan;
  // A warp that takes all query heads of a KV head reads its cells once.
  plan.head_tiles_per_warp = shape.query_heads_per_kv_head() > 8 ? 2 : 1;
  OperandRegisters registers = operand_registers(shape, variant.block_n, plan.head_tiles_per_warp);
  if (registers_needed(registers, 0) > most_estimated_registers) {
    plan.head_tiles_per_warp = 1;
    registers = operand_registers(shape, variant.block_n, 1);
  }
  plan.query_in_shared_memory = registers.sums + registers.scores + registers.query > most_lasting_registers;
  if (plan.query_in_shared_memory) plan.query_bytes = query_shared_bytes(registers, variant);
  plan.ring_bytes = ring_bytes;
  const int query_registers = plan.query_in_shared_memory ? 0 : registers.query;
  const int warps = warps_per_multiprocessor(registers_needed(registers, query_registers));
  plan.blocks_per_multiprocessor = std::max(1, std::min(warps / (variant.warps + serving_warps), most_blocks(plan)));
  return plan;
}

MmaPlan plan_staged_mma(const AttentionShape& shape, const AttentionVariant& variant) {
  const OperandRegisters registers = operand_registers(shape, variant.block_n, 1);
  constexpr int lanes = 32;
  const int step_bytes = (registers.keys + registers.values) * lanes * static_cast<int>(sizeof(std::uint32_t));
  return plan_shared_operands(shape, variant, static_cast<std::size_t>(step_bytes * variant.stages * variant.warps), 0);
}

}  // namespace kvarium
