#include "kernels/attention/cuda/range_schedule.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/cuda/device_profile.hpp"

namespace kvarium {
namespace {

constexpr std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Rows of partial results; a range may begin and end inside a sequence.
std::size_t num_rows(const AttentionShape& shape, int num_ranges) {
  return 2 * static_cast<std::size_t>(num_ranges) * static_cast<std::size_t>(shape.num_heads);
}

}  // namespace

std::size_t RangeSchedule::scalar_bytes(const AttentionShape& shape) const {
  return aligned(num_rows(shape, num_ranges) * sizeof(float));
}

std::size_t RangeSchedule::output_bytes(const AttentionShape& shape) const {
  return aligned(num_rows(shape, num_ranges) * static_cast<std::size_t>(shape.cache.head_size) * sizeof(float));
}

PartialBuffers RangeSchedule::partials(const PagedAttentionArguments& arguments) const {
  const std::size_t needed = workspace_bytes(arguments.shape);
  KVARIUM_VALIDATE(arguments.workspace.bytes >= needed, "the workspace holds ", arguments.workspace.bytes,
                   " bytes but the persistent schedule needs ", needed,
                   " for these shapes; make one of workspace_bytes()");
  const std::size_t scalars = scalar_bytes(arguments.shape);
  auto* const base = static_cast<std::byte*>(arguments.workspace.data);
  return {reinterpret_cast<float*>(base), reinterpret_cast<float*>(base + scalars), base + 2 * scalars,
          ElementType::float32, num_ranges};
}

RangeSchedule range_schedule(const AttentionVariant& variant, int blocks_per_multiprocessor, int warps_per_range) {
  const int multiprocessors = device_profile(variant.device_profile).multiprocessors;
  const std::int64_t warps_at_once = std::int64_t{multiprocessors} * blocks_per_multiprocessor * variant.warps;
  RangeSchedule schedule;
  schedule.num_ranges = static_cast<int>(std::max<std::int64_t>(1, warps_at_once / warps_per_range));
  const std::int64_t num_warps = std::int64_t{schedule.num_ranges} * warps_per_range;
  schedule.num_thread_blocks = (num_warps + variant.warps - 1) / variant.warps;
  return schedule;
}

std::int64_t expected_parts(const AttentionShape& shape, const RangeSchedule& schedule) {
  return schedule.num_ranges / shape.num_sequences + 2;
}

int reduction_warps_per_row(const AttentionShape& shape, const RangeSchedule& schedule) {
  // Parts that one warp reads at once.
  constexpr std::int64_t parts_at_once = 8;
  const std::int64_t parts = expected_parts(shape, schedule);
  int warps = 1;
  while (warps < reduction_warps && warps * parts_at_once < parts) warps *= 2;
  return warps;
}

}  // namespace kvarium
