#include "experiments/kinds/variant_problem.hpp"

#include <fmt/format.h>

#include "experiments/tuning/point_variant.hpp"

namespace kvarium {

std::optional<std::string> variant_problem(const PointConfig& point) {
  const AttentionVariant& variant = point.base.variant;
  const AttentionFamily& family = attention_families().at(variant.family);
  const Device device = family.traits().device;
  if (device != point.device) {
    return fmt::format("family {} runs on device {}, not {}; choose another one of `kvarium list variants`",
                       variant.family, to_string(device), to_string(point.device));
  }
  if (variant.partition_size == 0 && !family.traits().has_persistent_schedule) {
    return fmt::format("partition_size is 0 but family {} has no persistent schedule; use a multiple of block_size",
                       variant.family);
  }
  if (variant.verifies() && !family.traits().can_verify) {
    return fmt::format("family {} cannot verify the cache; set verification: none, or choose one that can",
                       variant.family);
  }
  if (const auto reason = family.refusal(attention_shape(point.base), variant)) {
    return fmt::format("family {} cannot run this: {}", variant.family, *reason);
  }
  return {};
}

std::optional<std::string> verification_problem(const PointConfig& point) {
  if (!point.base.variant.verifies()) return {};
  return fmt::format("{} keeps no records that attention could verify; set variant.verification: none", point.kind);
}

}  // namespace kvarium
