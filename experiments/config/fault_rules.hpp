#pragma once

#include <vector>

#include "experiments/config/combination_rules.hpp"

namespace kvarium {

/// Rules of `fault`: a setting keeps its default unless the model takes it, a preset stands alone, and the model
/// strikes at the stage asked for.
std::vector<CombinationRule> fault_rules();

/// The fault with its preset replaced by the model and settings it stands for. A preset beside a model or settings,
/// which the rules refuse, stays.
FaultConfig resolved_fault(const FaultConfig& fault);

}  // namespace kvarium
