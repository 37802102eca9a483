#include "kernels/attention/cuda/staged_mma_plan.hpp"

#include <algorithm>

namespace kvarium {
namespace {

/// Registers of sums, scores and queries that leave enough of the 255 for operands on their way from shared memory.
constexpr int most_lasting_registers = 144;

/// Warps that a multiprocessor's 65536 registers are shared by.
int warps_per_multiprocessor(int lasting_registers) {
  if (lasting_registers <= 64) return 16;
  return lasting_registers <= 100 ? 12 : 8;
}

}  // namespace

MmaPlan plan_shared_operands(const AttentionShape& shape, const AttentionVariant& variant, std::size_t ring_bytes) {
  MmaPlan plan;
  // A warp that takes all query heads of a KV head reads its cells once.
  plan.head_tiles_per_warp = shape.query_heads_per_kv_head() > 8 ? 2 : 1;
  const OperandRegisters registers = operand_registers(shape, variant.block_n, plan.head_tiles_per_warp);
  int lasting = registers.sums + registers.scores + registers.query;
  plan.query_in_shared_memory = lasting > most_lasting_registers;
  if (plan.query_in_shared_memory) {
    plan.query_bytes = query_shared_bytes(registers, variant);
    lasting -= registers.query;
  }
  plan.ring_bytes = ring_bytes;
  plan.blocks_per_multiprocessor = std::max(1, warps_per_multiprocessor(lasting) / variant.warps);
  return plan;
}

MmaPlan plan_staged_mma(const AttentionShape& shape, const AttentionVariant& variant) {
  const OperandRegisters registers = operand_registers(shape, variant.block_n, 1);
  constexpr int lanes = 32;
  const int step_bytes = (registers.keys + registers.values) * lanes * static_cast<int>(sizeof(std::uint32_t));
  return plan_shared_operands(shape, variant, static_cast<std::size_t>(step_bytes * variant.stages * variant.warps));
}

}  // namespace kvarium
