#pragma once

#include <optional>

#include "experiments/results/proportion.hpp"
#include "experiments/run/stored_results.hpp"

namespace kvarium {

/// How two points that met the same faults saw them, trial by trial over the rows that both have. Nothing where a point
/// did not run, or no row has a verdict on an applicable fault.
std::optional<PairedCounts> paired_counts(const StoredResults& stored, std::int64_t first, std::int64_t second);

}  // namespace kvarium
