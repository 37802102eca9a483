#pragma once

#include <cstddef>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// The persistent schedule of one launch (see group_ranges.cuh): equal ranges of the batch's groups of 16 tokens.
struct RangeSchedule {
  int num_ranges = 1;
  std::int64_t num_thread_blocks = 1;

  /// Device memory of the partial results: two rows a range and query head. A multiple of 256 each.
  std::size_t scalar_bytes(const AttentionShape& shape) const;
  std::size_t output_bytes(const AttentionShape& shape) const;
  std::size_t workspace_bytes(const AttentionShape& shape) const {
    return 2 * scalar_bytes(shape) + output_bytes(shape);
  }

  /// The partial results in the caller's workspace. Errors: InputError when it is too small.
  PartialBuffers partials(const PagedAttentionArguments& arguments) const;
};

/// As many ranges as fill the device profile's multiprocessors when `warps_per_range` warps attend each range together.
RangeSchedule range_schedule(const AttentionVariant& variant, int blocks_per_multiprocessor, int warps_per_range);

/// Ranges that a sequence lies in if all are equally long; the ones at its ends may be shared. A long sequence among
/// short ones lies in more.
std::int64_t expected_parts(const AttentionShape& shape, const RangeSchedule& schedule);

/// Parts up to which a reduction that reads few of them at once is taken: 0.8 % faster with 3 parts on an H200, the same
/// with 4 (docs/measurements/README.md).
inline constexpr std::int64_t few_parts = 5;

/// Warps of the reduction that merge one (sequence, query head).
int reduction_warps_per_row(const AttentionShape& shape, const RangeSchedule& schedule);

/// Warps of a thread block of the reduction.
inline constexpr int reduction_warps = 16;

}  // namespace kvarium
