#pragma once

#include <cstdint>
#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/output_comparison.hpp"

namespace kvarium {

/// Runs one layer's attention. Returns out [num_sequences, num_heads, head_size] of query_type. `verification`: where
/// the variant verifies.
std::vector<std::byte> run_attention(const DecodeScenario& scenario, std::int64_t layer,
                                     const AttentionVariant& variant, const Verification& verification = {});

/// A variant's output against the sequential float64 reference.
struct ReferenceCheck {
  std::int64_t num_sequences = 0;  ///< the first ones, as many as cost at most a second or so
  OutputDifference difference;
  double tolerance = 0;

  bool is_right() const { return difference.relative_l2 <= tolerance; }
};

/// What the reference gives for one layer.
struct ReferenceOutput {
  std::int64_t num_sequences = 0;  ///< the first ones, see ReferenceCheck
  std::vector<std::byte> rows;     ///< [num_sequences, num_heads, head_size] of query_type
};

/// Partition size that the reference of a variant cuts sequences into: the variant's own, where it has one.
int reference_partition_size(const AttentionVariant& variant);

/// Runs the reference over one layer.
ReferenceOutput reference_output(const DecodeScenario& scenario, std::int64_t layer, int partition_size);

/// Checks one layer's output against what the reference gave for it.
ReferenceCheck compare_with_reference(const DecodeScenario& scenario, std::int64_t layer,
                                      const ReferenceOutput& reference, const std::vector<std::byte>& output);

/// Checks one layer. Precondition: `output` is what run_attention gave for that layer.
ReferenceCheck check_with_reference(const DecodeScenario& scenario, std::int64_t layer, const AttentionVariant& variant,
                                    const std::vector<std::byte>& output);

}  // namespace kvarium
