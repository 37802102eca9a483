#pragma once

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/slice_checksum.hpp"

namespace kvarium {

/// How slices are summed.
struct SliceSum {
  SliceChecksum checksum = SliceChecksum::weighted_sum;
  std::uint64_t seed = 0;  ///< of mixed_sum's keys

  /// Value of the row's valid cells: weighted_sum with 8-byte pieces, or mixed_sum. Additive over heads and tokens.
  /// Precondition: valid block and tokens, layer and heads that have weights, a checksum that is not `none`.
  std::uint64_t operator()(const CacheLayer& layer, const BlockRow& row) const;
};

/// One KV head of a layer, as a layer of its own.
CacheLayer one_head(const CacheLayer& layer, std::int64_t head);

}  // namespace kvarium
