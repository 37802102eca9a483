#include "kernels/attention/cuda/staged_mma_plan.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// Registers of sums, scores and queries that leave enough of the 255 for operands on their way from shared memory.
constexpr int most_lasting_registers = 144;

/// Registers that compile without spills for sm_80 to sm_100: what lasts, weights beside scores; operands on their way
/// from shared memory, addresses and the sums of slices take 112 more. The same whether a variant verifies or not: the
/// cuts of sequences and the heads of a warp, and with them the bits of the result, depend on it.
int registers_needed(const OperandRegisters& registers, int query_registers) {
  return registers.sums + query_registers + 2 * registers.scores + 112;
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
  constexpr int most_registers = 270;
  if (registers_needed(registers, 0) > most_registers) {
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

std::optional<std::string> ring_refusal(const AttentionVariant& variant) {
  constexpr int most_stages = 16;
  if (variant.stages >= 2 && variant.stages <= most_stages) return std::nullopt;
  return concatenate("stages is ", variant.stages, "; use 2 to ", most_stages);
}

MmaPlan plan_staged_mma(const AttentionShape& shape, const AttentionVariant& variant) {
  const OperandRegisters registers = operand_registers(shape, variant.block_n, 1);
  constexpr int lanes = 32;
  const int step_bytes = (registers.keys + registers.values) * lanes * static_cast<int>(sizeof(std::uint32_t));
  return plan_shared_operands(shape, variant, static_cast<std::size_t>(step_bytes * variant.stages * variant.warps), 0);
}

}  // namespace kvarium
