#pragma once

#include <vector>

#include "experiments/kinds/checksum_verdict.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "sim/faults/fault_record.hpp"

namespace kvarium {

/// Whether repaired pieces make a row exactly what it was before the fault that is in place now: every changed valid
/// byte is put back, and no other byte would change.
bool restores(const std::vector<PieceRepair>& repairs, const FaultRecord& record, const BlockRow& row,
              const std::vector<CacheLayer>& layers);

/// What verdicts on two rows say of the fault that touched both: a wrong repair outweighs damage left undone, that a
/// right repair, and that a row that was not verified.
ChecksumVerdict graver(ChecksumVerdict one, ChecksumVerdict other);

}  // namespace kvarium
