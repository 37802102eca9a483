#pragma once

#include <utility>
#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// Records of a scenario's caches in host memory for a variant that verifies, and what its steps have found.
class HostVerification {
 public:
  /// Records nothing where the variant does not verify.
  HostVerification(const DecodeScenario& scenario, const AttentionVariant& variant);
  HostVerification(const HostVerification&) = delete;
  HostVerification& operator=(const HostVerification&) = delete;

  /// What attention over a layer takes. Copies of the cache share the records.
  Verification of_layer(std::int64_t layer);

  /// What was found since the last call.
  VerificationResult take_findings() { return std::exchange(found_, {}); }

 private:
  struct Layer {
    std::vector<std::uint64_t> expected;
    std::vector<std::int32_t> covered_tokens;
  };

  void record_layer(const PagedAttentionArguments& arguments, std::int64_t layer, const AttentionVariant& variant);

  std::vector<Layer> layers_;
  VerificationResult found_;
};

}  // namespace kvarium
