#pragma once

#include <string>

#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// A point's shape in words, its variant's verification included.
std::string shape_text(const BaseConfig& base);

/// For each shape the variants that passed, fastest first (of many the first ten), how many of all, and each
/// reason why the others did not.
std::string ranking_text(const Plan& plan, const ResultTables& results);

}  // namespace kvarium
