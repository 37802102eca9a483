#include "kernels/attention/cuda/register_mma_plan.hpp"

#include <algorithm>

namespace kvarium {
namespace {

constexpr int divide_up(int value, int divisor) { return (value + divisor - 1) / divisor; }

/// Registers that hold operands, sums and scores of one warp, by lane; the constants of register_mma_tiles.cuh again.
struct OperandRegisters {
  int keys = 0;
  int values = 0;
  int sums = 0;
  int scores = 0;
  int query = 0;

  int without_query() const { return keys + values + sums + scores; }
  int all() const { return without_query() + query; }
};

OperandRegisters operand_registers(const AttentionShape& shape, int block_n, int head_tiles) {
  constexpr int piece_registers = 4;
  const int head_size = shape.cache.head_size;
  const int bytes = element_bytes(shape.cache.element_type);
  const int tiles = block_n / 16;
  const int key_pieces = divide_up(head_size * bytes / 16, 4);
  OperandRegisters registers;
  registers.keys = tiles * 2 * key_pieces * piece_registers;
  registers.query = head_tiles * key_pieces * (16 / bytes / 2);
  registers.scores = tiles * head_tiles * 4;
  if (shape.cache.layout == CacheLayout::split_x) {
    registers.values = head_size * block_n * bytes / 128;
    registers.sums = head_tiles * head_size / 4;
    return registers;
  }
  const int piece_elements = head_size % 128 == 0 ? 16 / bytes : 8;
  const int value_pieces = divide_up(head_size / piece_elements, 8);
  registers.values = tiles * 4 * value_pieces * piece_elements * bytes / 4;
  registers.sums = head_tiles * value_pieces * piece_elements / 2 * 4;
  return registers;
}

/// Operand registers that leave enough of the 255 for addresses and conversions, as compiled for sm_80 to sm_100.
int most_operand_registers(ElementType cache_type) { return is_float8(cache_type) ? 192 : 200; }

/// What verification takes beside the operands: sums and weights.
constexpr int verification_registers = 20;

/// Warps that a multiprocessor's 65536 registers are shared by: the compiler takes about 45 more than the operands.
int warps_per_multiprocessor(int operand_registers) {
  if (operand_registers <= 70) return 16;
  return operand_registers <= 120 ? 12 : 8;
}

}  // namespace

int RegisterMmaPlan::warps_per_kv_head(int query_heads_per_kv_head) const {
  return divide_up(query_heads_per_kv_head, 8 * head_tiles_per_warp);
}

std::size_t RegisterMmaPlan::shared_memory_bytes(const AttentionShape& shape, const AttentionVariant& variant) const {
  if (!query_in_shared_memory) return 0;
  const int words = operand_registers(shape, variant.block_n, head_tiles_per_warp).query;
  return sizeof(std::uint32_t) * static_cast<std::size_t>(words * 32 * variant.warps);
}

std::optional<RegisterMmaPlan> plan_register_mma(const AttentionShape& shape, const AttentionVariant& variant) {
  const int most = most_operand_registers(shape.cache.element_type);
  // A warp that takes all query heads of a KV head reads its cells once.
  for (int head_tiles = shape.query_heads_per_kv_head() > 8 ? 2 : 1; head_tiles > 0; --head_tiles) {
    const OperandRegisters registers = operand_registers(shape, variant.block_n, head_tiles);
    if (registers.without_query() > most) continue;
    RegisterMmaPlan plan;
    plan.head_tiles_per_warp = head_tiles;
    plan.query_in_shared_memory = registers.all() + (variant.verifies() ? verification_registers : 0) > most;
    // The same whether it verifies or not: ranges, and with them the bits of the result, depend on it.
    plan.blocks_per_multiprocessor =
        std::max(1, warps_per_multiprocessor(registers.all() + verification_registers) / variant.warps);
    return plan;
  }
  return std::nullopt;
}

}  // namespace kvarium
