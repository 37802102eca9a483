#pragma once

#include <cstddef>
#include <span>

#include "sim/faults/fault_record.hpp"
#include "sim/faults/struck_block.hpp"

namespace kvarium {

/// Blocks of a cache that a fault is about to change: the changes of blocks[i] begin at first_changes[i] of the record
/// and end where those of the next block begin.
struct CacheDamage {
  std::span<const StruckBlock> blocks;
  std::span<const std::size_t> first_changes;
};

/// Completes a record of changed bytes: counts, and the site of its first attended byte, else of its first one.
/// Precondition: at least one change, none of them written yet.
void describe_cache_fault(FaultRecord& record, const FaultTarget& target, const CacheDamage& damage);

/// Completes a record of changed table entries, readings or checksum records, by the first of them.
void describe_table_fault(FaultRecord& record, const FaultTarget& target);
void describe_reading_fault(FaultRecord& record, const FaultTarget& target);
void describe_record_fault(FaultRecord& record, const FaultTarget& target);

}  // namespace kvarium
