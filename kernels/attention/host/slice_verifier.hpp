#pragma once

#include "kernels/attention/attention_family.hpp"
#include "kernels/attention/host/partition_kernel.hpp"
#include "kernels/checksums/slice_sum.hpp"

namespace kvarium::host {

/// Holds the slices that host attention reads against their records, while their cells are still in the core's caches.
/// Threads may share it.
class SliceVerifier {
 public:
  /// Verifies nothing where the variant does not verify. Precondition: validated arguments, which outlive it.
  SliceVerifier(const PagedAttentionArguments& arguments, const AttentionVariant& variant);

  /// Judges every slice of which the unit attends tokens: a mismatch goes to the fault word, one that is read in part
  /// or that no record covers as it stands counts as unverified. `partition_size`: a multiple of block_size.
  void verify(const PartitionUnit& unit, std::int64_t partition_size) const;

 private:
  /// One slice, by its first token.
  bool is_verified(const PartitionUnit& unit, std::int64_t first_token) const;

  const PagedAttentionArguments& arguments_;
  SliceSum sum_;
};

}  // namespace kvarium::host
