#pragma once

#include <vector>

#include "experiments/config/combination_rules.hpp"

namespace kvarium {

/// One rule per fault setting: it keeps its default unless the model takes it.
std::vector<CombinationRule> fault_rules();

}  // namespace kvarium
