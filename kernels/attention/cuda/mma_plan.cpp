#include "kernels/attention/cuda/mma_plan.hpp"

#include <algorithm>

#include "core/rounding.hpp"
#include "kernels/cuda/device_profile.hpp"

namespace kvarium {

int MmaPlan::warps_per_kv_head(int query_heads_per_kv_head) const {
  return divide_up(query_heads_per_kv_head, 8 * head_tiles_per_warp);
}

int MmaPlan::blocks_at_once(const std::string& profile) const {
  // A thread block takes a KiB more than it asks for.
  constexpr std::size_t reserved = 1024;
  const auto bytes = static_cast<std::size_t>(device_profile(profile).shared_memory_per_multiprocessor);
  const auto held = static_cast<int>(bytes / (query_bytes + ring_bytes + reserved));
  return std::clamp(held, 1, blocks_per_multiprocessor);
}

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

std::size_t query_shared_bytes(const OperandRegisters& registers, const AttentionVariant& variant) {
  return sizeof(std::uint32_t) * static_cast<std::size_t>(registers.query * 32 * variant.warps);
}

}  // namespace kvarium
