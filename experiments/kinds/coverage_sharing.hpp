#pragma once

#include "experiments/kinds/experiment_kind.hpp"

namespace kvarium {

/// Runs a point of fault_coverage together with its companions: each fault is injected once and shown to all their
/// checksums. The companions' results are kept in `context.kept` until their turn comes. Without companions, or where
/// one of their checksums throws, the point runs alone, to the same result.
/// Errors: those of CoverageCampaign for the point alone.
PointResult run_coverage(const PointConfig& point, const PointContext& context);

}  // namespace kvarium
