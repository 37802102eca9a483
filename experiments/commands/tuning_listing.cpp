#include "experiments/commands/tuning_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/tuning/stored_tunings.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

bool is_same_measurement(const TunedVariant& left, const TunedVariant& right) {
  return left.source == right.source && left.attended_tokens == right.attended_tokens &&
         left.shape.num_sequences == right.shape.num_sequences && left.shape.num_heads == right.shape.num_heads &&
         left.shape.query_type == right.shape.query_type && left.shape.cache == right.shape.cache &&
         left.variant.verification == right.variant.verification &&
         left.variant.device_profile == right.variant.device_profile;
}

/// The fastest variant of each shape, in the order shapes come in.
std::vector<TunedVariant> fastest_of_shapes(const std::vector<TunedVariant>& tunings) {
  std::vector<TunedVariant> fastest;
  for (const TunedVariant& tuned : tunings) {
    const auto known = std::find_if(fastest.begin(), fastest.end(),
                                    [&](const TunedVariant& other) { return is_same_measurement(tuned, other); });
    if (known == fastest.end()) {
      fastest.push_back(tuned);
    } else if (tuned.seconds < known->seconds) {
      *known = tuned;
    }
  }
  return fastest;
}

Json row_of(const TunedVariant& tuned, Device device) {
  const AttentionShape& shape = tuned.shape;
  const AttentionVariant& variant = tuned.variant;
  return {
      {"name", tuned.source},
      {"device", to_string(device)},
      {"sequences", shape.num_sequences},
      {"tokens", tuned.attended_tokens},
      {"heads", fmt::format("{}/{} of {}", shape.num_heads, shape.cache.num_kv_heads, shape.cache.head_size)},
      {"query", to_string(shape.query_type)},
      {"cache", fmt::format("{} {}, blocks of {}", to_string(shape.cache.element_type), to_string(shape.cache.layout),
                            shape.cache.block_size)},
      {"verification", variant.verification},
      {"fastest", fmt::format("{} partition_size {} block_n {} stages {} warps {} combine {}", variant.family,
                              variant.partition_size, variant.block_n, variant.stages, variant.warps, variant.combine)},
      {"seconds", tuned.seconds}};
}

}  // namespace

Json list_tunings() {
  Json rows = Json::array();
  for (const Device device : {Device::cpu, Device::cuda}) {
    for (const TunedVariant& tuned : fastest_of_shapes(stored_tunings(device))) rows.push_back(row_of(tuned, device));
  }
  return rows;
}

}  // namespace kvarium
