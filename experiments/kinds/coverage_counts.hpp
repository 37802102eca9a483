#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "experiments/kinds/checksum_verdict.hpp"
#include "experiments/results/point_tables.hpp"
#include "experiments/results/stop_rule.hpp"

namespace kvarium {

/// How the trials of a point of fault_coverage ended.
struct CoverageCounts {
  std::int64_t faults = 0;                 ///< trials that tried to inject one
  std::array<std::int64_t, 7> verdicts{};  ///< by ChecksumVerdict, applicable faults only
  std::int64_t controls = 0;
  std::int64_t control_alarms = 0;  ///< controls that the checksum reported
  std::int64_t rechecked = 0;

  /// Faults that changed something.
  std::int64_t applicable() const;
  std::int64_t count(ChecksumVerdict verdict) const { return verdicts[static_cast<std::size_t>(verdict)]; }
  /// Faults that were reported or repaired.
  std::int64_t seen() const { return count(ChecksumVerdict::detected) + count(ChecksumVerdict::repaired); }
};

/// Columns of /summary, and the row of them: counts, the shares seen and missed with their intervals.
std::vector<ColumnSchema> coverage_summary_columns();
/// `record_bytes`: what one block's record takes.
void append_coverage_summary(Table& summary, const CoverageCounts& counts, const StopRule& rule,
                             std::int64_t record_bytes);

}  // namespace kvarium
