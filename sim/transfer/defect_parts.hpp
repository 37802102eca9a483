#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/transfer/transfer_defect.hpp"

namespace kvarium {

/// "watched: OPERATION".
std::string watched(const std::string& operation);

/// Descriptors for which `keep` holds.
template <class Keep>
std::vector<Descriptor> kept_descriptors(const std::vector<Descriptor>& descriptors, const Keep& keep) {
  std::vector<Descriptor> kept;
  for (const Descriptor& descriptor : descriptors) {
    if (keep(descriptor)) kept.push_back(descriptor);
  }
  return kept;
}

/// Slots of tokens before `end`.
std::vector<SlotMove> slots_before(const std::vector<SlotMove>& slots, std::int64_t end);

/// The first half of the descriptors and slots, or the second.
enum class PlanHalf : std::uint8_t { first, second };
TransferPlan half_of(const TransferPlan& plan, PlanHalf half);

/// Descriptors cut into pieces of `piece_bytes`, each with its first `kept_bytes` alone.
std::vector<Descriptor> piece_starts(const std::vector<Descriptor>& descriptors, std::int64_t piece_bytes,
                                     std::int64_t kept_bytes);

/// Every second line of 64 bytes of each descriptor, the second one first.
std::vector<Descriptor> every_second_line(const std::vector<Descriptor>& descriptors);

/// The last block of the watched request's plan.
std::int64_t last_block(const TransferWorld& world);

/// Lets the intruder take blocks of an engine and fill them.
void let_intruder_fill(TransferWorld& world, EngineRole role);

/// Moves the watched request to other blocks of the producer, as a pool that closes gaps does: `keep` says which bytes
/// of the right plan it moves. The old blocks go to the intruder. Returns the old block table.
std::vector<BlockId> compact(TransferWorld& world, const CacheAddressing& addressing,
                             std::vector<Descriptor> (*keep)(const TransferWorld&, std::vector<Descriptor>));

/// Lets the intruder's transfer to the consumer be planned and aborted: its blocks there are released, its plan stays.
void plan_and_abort_intruder(TransferWorld& world);

/// Inserts a step before or after the watched request's check on landing.
void insert_at_landing(TransferSchedule& schedule, StrikeMoment moment, const TransferStep& step);

/// Plans the watched request's transfer from other blocks of its source than its own.
void plan_from_blocks(TransferWorld& world, const std::vector<BlockId>& blocks);

/// Why a request has no block behind its first one, which it would share, or "".
std::string second_block_problem(const TransferShape& shape);

/// Allocates the watched request at the producer, its first block shared by its hash, and computes what stands behind
/// that block. Precondition: the hash is known to the pool.
void share_first_block(TransferWorld& world, BlockHash hash);
void prefill_behind_first_block(TransferWorld& world);

/// Whether a served request of the consumer stores a token in a slot.
bool is_served_slot(const TransferWorld& world, std::int64_t slot);

}  // namespace kvarium
