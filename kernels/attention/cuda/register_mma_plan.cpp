#include "kernels/attention/cuda/register_mma_plan.hpp"

#include <algorithm>

namespace kvarium {
namespace {

/// Operand registers that leave enough of the 255 for addresses and conversions, as compiled for sm_80 to sm_100.
int most_operand_registers(ElementType cache_type) { return is_float8(cache_type) ? 192 : 200; }

/// The same with the queries among them: those of wide fp8 heads spill earlier, as compiled.
int most_registers_with_query(const CacheGeometry& cache) {
  return is_float8(cache.element_type) && cache.head_size > 128 ? 160 : most_operand_registers(cache.element_type);
}

/// What verification takes beside the operands: sums and weights.
constexpr int verification_registers = 20;

/// The same where it decides on the place of the queries, as compiled: keys of mixed_sum are long products, of which
/// many are under way at once.
int registers_beside_query(const AttentionShape& shape, const AttentionVariant& variant) {
  if (!variant.verifies()) return 0;
  const bool has_rows = shape.cache.layout != CacheLayout::split_x;
  return variant.verification == "mixed_sum" && has_rows ? 4 * verification_registers : verification_registers;
}

/// Warps that a multiprocessor's 65536 registers are shared by: the compiler takes about 45 more than the operands.
int warps_per_multiprocessor(int operand_registers) {
  if (operand_registers <= 70) return 16;
  return operand_registers <= 120 ? 12 : 8;
}

}  // namespace

std::optional<MmaPlan> plan_register_mma(const AttentionShape& shape, const AttentionVariant& variant) {
  const int most = most_operand_registers(shape.cache.element_type);
  // A warp that takes all query heads of a KV head reads its cells once.
  for (int head_tiles = shape.query_heads_per_kv_head() > 8 ? 2 : 1; head_tiles > 0; --head_tiles) {
    const OperandRegisters registers = operand_registers(shape, variant.block_n, head_tiles);
    const int without_query = registers.keys + registers.values + registers.sums + registers.scores;
    if (without_query > most) continue;
    const int all = without_query + registers.query;
    MmaPlan plan;
    plan.head_tiles_per_warp = head_tiles;
    plan.query_in_shared_memory = all + registers_beside_query(shape, variant) > most_registers_with_query(shape.cache);
    if (plan.query_in_shared_memory) plan.query_bytes = query_shared_bytes(registers, variant);
    // The same whether it verifies or not: ranges, and with them the bits of the result, depend on it.
    plan.blocks_per_multiprocessor =
        std::max(1, warps_per_multiprocessor(all + verification_registers) / variant.warps);
    return plan;
  }
  return std::nullopt;
}

}  // namespace kvarium
