#pragma once

#include <string>
#include <vector>

#include "experiments/plan/plan.hpp"

namespace kvarium {

/// What `kvarium tune` measures.
struct TuningPlan {
  Plan plan;
  /// What is left out and why, a line each: shapes that cannot run, variants that spill registers or are refused.
  std::vector<std::string> left_out;
};

/// Every candidate variant (see tuning_candidates) at every shape of a decode_attention experiment, as one experiment
/// whose axis zips tuning_shape_keys(), tuning_variant_keys() and what else the file sweeps; the variants of a shape
/// follow one another. With `variant.family: auto` all families are tried, with a name that one. Keys of `variant` that
/// differ from their defaults bind the search.
/// Errors: InputError for another kind, for an axis over what the tuner varies itself, and when nothing is left.
TuningPlan make_tuning_plan(ExperimentConfig experiment);

}  // namespace kvarium
