#pragma once

#include <any>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/results/table.hpp"

namespace kvarium {

/// Columns of /timing/summary of fault_coverage, where record.throughput asks for them.
std::vector<ColumnSchema> coverage_throughput_columns();

/// Appends how fast the point's checksum sums the stored blocks, beside the readers of the same run. Points that differ
/// in the fault alone share one measurement, which `kept` (may be null) carries from one to the next.
void append_coverage_throughput(Table& timing_summary, const DecodeScenario& scenario, const PointConfig& point,
                                std::any* kept);

}  // namespace kvarium
