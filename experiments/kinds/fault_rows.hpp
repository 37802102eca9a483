#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/results/table.hpp"
#include "sim/faults/fault_record.hpp"

namespace kvarium {

/// Where in its sequence a struck block lies.
enum class BlockPosition : std::uint8_t { first, inner, last, only };

/// Names in the order of the enumerators.
const std::vector<std::string>& block_position_names();

/// Position of the record's block in its sequence. Precondition: the record names a sequence.
BlockPosition block_position(const FaultRecord& record, const FaultTarget& target);

/// Columns of /faults for kinds that inject faults: site, strata and extent, the same for every checksum and variant.
std::vector<ColumnSchema> fault_columns();

/// Appends what a trial's fault did.
void append_fault(Table& faults, std::int64_t trial, const FaultRecord& record, const FaultTarget& target);
/// Appends why a trial's fault was not applicable.
void append_missing_fault(Table& faults, std::int64_t trial, const std::string& reason);

}  // namespace kvarium
