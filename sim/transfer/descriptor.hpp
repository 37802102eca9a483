#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/identifiers.hpp"
#include "sim/transfer/cache_addressing.hpp"

namespace kvarium {

/// One stretch of bytes to be moved, within one block of the destination.
struct Descriptor {
  std::int64_t layer = 0;
  KvTensor tensor = KvTensor::key;
  std::int64_t head = 0;           ///< of its first byte
  std::int64_t logical_block = 0;  ///< of the destination
  MemoryPlace from;
  MemoryPlace to;
  std::int64_t bytes = 0;
};

/// The record beside one slot that moves with the slot's bytes; slot = block * block_size + offset.
struct SlotMove {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t token = 0;  ///< position in the request
};

/// What one request's transfer moves.
struct TransferPlan {
  std::vector<Descriptor> descriptors;  ///< by layer, tensor and block of the destination
  std::vector<SlotMove> slots;          ///< by token
};

/// One end of a transfer as a connector sees it.
struct PlanEnd {
  const CacheAddressing& addressing;
  std::span<const BlockId> blocks;  ///< of the request, by position
  std::int64_t first_block = 0;     ///< of `blocks` that the transfer begins with
};

/// The bytes of whole blocks from one engine to another: as many tokens as both ends have room for. Neighbouring
/// stretches are one descriptor where both memories hold them side by side.
TransferPlan plan_transfer(const PlanEnd& from, const PlanEnd& to);

}  // namespace kvarium
