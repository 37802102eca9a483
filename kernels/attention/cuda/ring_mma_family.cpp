#include "kernels/attention/cuda/ring_mma_family.hpp"

#include "core/check.hpp"

namespace kvarium {

AttentionTraits RingMmaFamily::traits() const {
  AttentionTraits traits{description_, Device::cuda};
  traits.has_persistent_schedule = true;
  traits.can_verify = true;
  return traits;
}

AttentionAxes RingMmaFamily::axes() const {
  AttentionAxes axes = MmaFamily::axes();
  axes.stages = {2, 3, 6};
  axes.warps = {1, 4, 8};
  return axes;
}

TuningAxes RingMmaFamily::tuning_axes() const {
  TuningAxes axes = MmaFamily::tuning_axes();
  axes.partition_sizes = {0, 1024};
  axes.block_ns = {16, 32, 64};
  axes.stages = {2, 4};
  axes.warps = {4, 8};
  return axes;
}

std::optional<std::string> RingMmaFamily::stages_refusal(const AttentionVariant& variant) const {
  constexpr int most_stages = 16;
  if (variant.stages >= 2 && variant.stages <= most_stages) return std::nullopt;
  return concatenate("stages is ", variant.stages, "; use 2 to ", most_stages);
}

}  // namespace kvarium
