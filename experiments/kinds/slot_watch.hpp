#pragma once

#include <cstdint>
#include <vector>

#include "experiments/kinds/engine_rows.hpp"

namespace kvarium {

/// Whether a check's records lie beside the slots and move with them.
bool stands_beside_slots(const TransferCheck& check);

/// Writes what stands beside the slots of tokens that an engine wrote. `first_position` is the position that the writer
/// took the first one to have.
void write_slot_records(TransferWorld& world, EngineRole role, RequestRole request, TokenSpan tokens,
                        std::int64_t first_position);

/// What `found`, the words of rows as they are, come to beside the records of their slots. `check` is a number of
/// transfer_checks() that stands beside slots.
ChecksumJudgement judge_slots(std::size_t check, const Engine& engine, const EngineRows& rows,
                              const std::vector<std::uint64_t>& found);

/// The graver of two judgements: a mismatch, then nothing to compare.
ChecksumJudgement graver(ChecksumJudgement one, ChecksumJudgement other);

}  // namespace kvarium
