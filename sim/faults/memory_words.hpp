#pragma once

#include <cstdint>

#include "sim/faults/injection.hpp"

namespace kvarium {

/// An attended byte of a block, by its place in memory order: uniform over layers, attended tokens, heads and bytes.
struct DrawnPlace {
  StruckBlock block;
  std::int64_t place = 0;
};

/// Draws an attended byte.
inline DrawnPlace draw_place(Injection& injection) {
  const DrawnToken token = injection.draw_token(injection.draw_layer());
  const CacheGeometry& geometry = injection.target().geometry();
  const CellByte byte{injection.below(geometry.num_kv_heads), token.token, injection.below(cell_bytes(geometry))};
  return {token.block, injection.target().block_memory().place_of(byte)};
}

/// Start of the aligned run of `bytes` bytes around a place, moved back where it would pass the block's end.
inline std::int64_t run_around(const BlockMemory& memory, std::int64_t place, std::int64_t bytes,
                               std::int64_t alignment) {
  const std::int64_t start = place / alignment * alignment;
  const std::int64_t last = (memory.size() - bytes) / alignment * alignment;
  return start < last ? start : last;
}

/// A byte with its masked bits driven to something: "invert", "stuck_zero" or "stuck_one".
inline std::uint8_t driven(std::uint8_t byte, std::uint8_t mask, const std::string& drive) {
  if (drive == "invert") return byte ^ mask;
  return static_cast<std::uint8_t>(drive == "stuck_one" ? byte | mask : byte & ~mask);
}

/// Drives the masked bits of the byte at a place of the block's memory.
inline void drive_bits(Injection& injection, const StruckBlock& block, std::int64_t place, std::uint8_t mask,
                       const std::string& drive) {
  const CellByte byte = injection.target().block_memory().cell_at(place);
  injection.change(block, byte, driven(injection.present(block, byte), mask, drive));
}

}  // namespace kvarium
