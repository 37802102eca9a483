#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "sim/faults/fault_record.hpp"

namespace kvarium {

/// One byte to be changed in a block.
struct CellChange {
  CellByte place;
  std::uint8_t before = 0;
  std::uint8_t after = 0;
};

/// Where a fault strikes: a block of a layer, by one of its attended spans.
struct StruckBlock {
  std::int64_t layer = 0;
  AttendedSpan span;
};

/// Writes `changes` (in the order KV head, token, byte) into the cache and records them.
/// Not applicable, with nothing written, when no change concerns an attended token.
FaultOutcome strike(const FaultTarget& target, const StruckBlock& block, std::span<const CellChange> changes);

/// Gives a block new contents [num_kv_heads, block_size, cell_bytes] in cell order, attended or not. Not applicable,
/// with nothing written, when every attended byte stays what it is.
FaultOutcome replace_block(const FaultTarget& target, const StruckBlock& block,
                           std::span<const std::uint8_t> replacement);

/// One of the attended blocks of one of the layers, all equally likely. Precondition: a token is attended.
StruckBlock draw_block(const FaultTarget& target, CounterRandom& random);

/// The reason every model gives for a batch without attended tokens.
FaultOutcome nothing_attended();

}  // namespace kvarium
