#include "sim/contents/synthetic_profile.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "sim/random_order.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

std::size_t num_outliers(const SyntheticSettings& settings) {
  const double wanted = settings.outlier_share * settings.shape.head_size;
  // At least two ordinary channels stay, so that there is a direction for sinks.
  const double most = settings.shape.head_size - 2;
  return wanted <= 0.0 ? 0 : static_cast<std::size_t>(std::clamp(std::round(wanted), 1.0, most));
}

std::vector<float> draw_offsets(const SyntheticSettings& settings, CounterRandom& random) {
  const auto size = static_cast<std::size_t>(settings.shape.head_size);
  std::vector<float> offsets(size, 0.0F);
  const std::vector<std::size_t> channels = random_order(size, random);
  for (std::size_t i = 0; i < num_outliers(settings); ++i) {
    const double sign = random.below(2) == 0 ? 1.0 : -1.0;
    offsets[channels[i]] = static_cast<float>(sign * settings.outlier_magnitude);
  }
  return offsets;
}

std::vector<float> draw_direction(const std::vector<float>& offsets, CounterRandom& random) {
  std::vector<double> direction;
  double squares = 0.0;
  for (const float offset : offsets) {
    direction.push_back(offset == 0.0F ? random.normal() : 0.0);
    squares += direction.back() * direction.back();
  }
  std::vector<float> unit;
  for (const double component : direction) unit.push_back(static_cast<float>(component / std::sqrt(squares)));
  return unit;
}

}  // namespace

void validate(const SyntheticSettings& settings) {
  validate(settings.shape);
  KVARIUM_VALIDATE(settings.shape.head_size >= 4, "head_size ", settings.shape.head_size,
                   " is too small for synthetic contents; use 4 or more");
  KVARIUM_VALIDATE(settings.shared_prefix_length >= 0, "shared_prefix_length is ", settings.shared_prefix_length,
                   "; use 0 tokens or more");
  KVARIUM_VALIDATE(settings.outlier_share >= 0.0 && settings.outlier_share <= 0.5, "outlier_share is ",
                   settings.outlier_share, "; use 0 to 0.5");
  KVARIUM_VALIDATE(settings.outlier_magnitude > 0.0, "outlier_magnitude is ", settings.outlier_magnitude,
                   "; use more than 0");
  KVARIUM_VALIDATE(settings.num_sinks >= 0, "num_sinks is ", settings.num_sinks, "; use 0 or more");
  KVARIUM_VALIDATE(settings.sink_key_norm > 0.0, "sink_key_norm is ", settings.sink_key_norm, "; use more than 0");
  KVARIUM_VALIDATE(settings.layer_scale_range >= 1.0, "layer_scale_range is ", settings.layer_scale_range,
                   "; use 1 or more");
}

LayerProfile draw_profile(const SyntheticSettings& settings, std::int64_t layer) {
  CounterRandom random = random_for(RandomPurpose::content_profile, settings.key, static_cast<std::uint64_t>(layer));
  LayerProfile profile;
  profile.scale = static_cast<float>(std::pow(settings.layer_scale_range, 2.0 * random.uniform() - 1.0));
  for (int head = 0; head < settings.shape.num_kv_heads; ++head) {
    std::vector<float> offsets = draw_offsets(settings, random);
    std::vector<float> direction = draw_direction(offsets, random);
    profile.heads.push_back({std::move(offsets), std::move(direction)});
  }
  return profile;
}

}  // namespace kvarium
