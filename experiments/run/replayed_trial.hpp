#pragma once

#include <string>
#include <vector>

#include "experiments/run/row_comparison.hpp"
#include "experiments/run/stored_trial.hpp"

namespace kvarium {

/// Runs a stored trial again and compares its rows of trials and faults. Errors: those of the kind.
/// Precondition: Kokkos is initialised.
std::vector<ComparedValue> replay(const StoredResults& stored, const StoredTrial& trial);

/// "TABLE/COLUMN" of the values that are not equal.
std::vector<std::string> differing_columns(const std::vector<ComparedValue>& values);

}  // namespace kvarium
