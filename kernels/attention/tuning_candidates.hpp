#pragma once

#include <vector>

#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// What a tuner measures for one request, and what it leaves out.
struct TuningCandidates {
  std::vector<AttentionVariant> variants;
  std::vector<AttentionVariant> spilling;  ///< not refused, but their kernels spill registers
  int num_refused = 0;                     ///< combinations that a family refuses
};

/// Every variant of every family of the request's device, references apart, over the family's tuning_axes(), that keeps
/// what was asked for and is not refused, in list order. `family`: that one alone; empty: all.
/// Kernels that spill registers are set apart where NVRTC can compile them; they are compiled on all cores.
/// Errors: InputError for an unknown family or device profile, or with the compiler's log.
TuningCandidates tuning_candidates(const VariantRequest& request, const std::string& family);

}  // namespace kvarium
