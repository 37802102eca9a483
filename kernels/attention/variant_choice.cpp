#include "kernels/attention/variant_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/attention/variant_resources.hpp"
#include "kernels/cuda/device_profile.hpp"

namespace kvarium {
namespace {

/// The axes that a request may leave open, by default value.
constexpr int AttentionVariant::*open_numbers[] = {&AttentionVariant::partition_size, &AttentionVariant::block_n,
                                                   &AttentionVariant::stages, &AttentionVariant::warps};

/// `variant` with what was asked for put in.
AttentionVariant with_wanted(AttentionVariant variant, const VariantRequest& request) {
  const AttentionVariant& wanted = request.wanted;
  const AttentionVariant defaults;
  if (request.binds_partition_size) variant.partition_size = wanted.partition_size;
  if (request.binds_block_n) variant.block_n = wanted.block_n;
  for (int AttentionVariant::*axis : open_numbers) {
    if (wanted.*axis != defaults.*axis) variant.*axis = wanted.*axis;
  }
  if (wanted.combine != defaults.combine) variant.combine = wanted.combine;
  variant.device_profile = wanted.device_profile;
  variant.verification = wanted.verification;
  return variant;
}

std::vector<AttentionVariant> cuda_preferences(const VariantRequest& request) {
  const bool has_dependent_launch = device_profile(request.wanted.device_profile).architecture.is_at_least({9, 0});
  const std::string combine = has_dependent_launch ? "dependent_launch" : "kernel";
  const auto variant = [&](const std::string& family, int partition_size, int block_n, int stages) {
    return AttentionVariant{family, partition_size, block_n, "native", stages, 4, combine, "none"};
  };
  std::vector<AttentionVariant> preferences{variant("register_mma", 0, 32, 2), variant("register_mma", 0, 16, 2),
                                            variant("gqa_packed", 512, 16, 2), variant("gqa_packed", 512, 8, 1)};
  // Queries of two tiles of heads leave registers for half as many keys in the step.
  if (request.shape.query_heads_per_kv_head() > 8) std::swap(preferences[0], preferences[1]);
  if (!request.wanted.verifies()) preferences.push_back(variant("v2_faithful", 512, 64, 2));
  return preferences;
}

/// Whether kernels for both shapes are compiled from the same constants.
bool is_same_kind(const AttentionShape& left, const AttentionShape& right) {
  return left.query_type == right.query_type && left.query_heads_per_kv_head() == right.query_heads_per_kv_head() &&
         left.cache.layout == right.cache.layout && left.cache.element_type == right.cache.element_type &&
         left.cache.head_size == right.cache.head_size && left.cache.block_size == right.cache.block_size;
}

double log_ratio(std::int64_t left, std::int64_t right) {
  return std::log(static_cast<double>(std::max<std::int64_t>(left, 1)) /
                  static_cast<double>(std::max<std::int64_t>(right, 1)));
}

/// Infinite beyond a factor of 4: what was measured there says little.
double distance(const VariantRequest& request, const TunedVariant& tuned) {
  const double rows = log_ratio(request.shape.num_sequences * request.shape.cache.num_kv_heads,
                                tuned.shape.num_sequences * tuned.shape.cache.num_kv_heads);
  const double tokens = log_ratio(request.attended_tokens, tuned.attended_tokens);
  const double most = std::log(4.0) + 1e-9;
  if (std::abs(rows) > most || std::abs(tokens) > most) return std::numeric_limits<double>::infinity();
  return std::hypot(rows, tokens);
}

bool fits(const VariantRequest& request, const TunedVariant& tuned) {
  return is_same_kind(request.shape, tuned.shape) && keeps_wanted(tuned.variant, request) &&
         !is_refused_variant(tuned.variant, request);
}

/// The nearest measurement that fits, the first of equally near sources, the fastest of that source.
const TunedVariant* find_tuned(const VariantRequest& request, std::span<const TunedVariant> tuned) {
  const TunedVariant* best = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const TunedVariant& one : tuned) {
    const double away = distance(request, one);
    const bool is_nearer = away < nearest;
    const bool is_faster =
        best != nullptr && away == nearest && one.source == best->source && one.seconds < best->seconds;
    if (!(is_nearer || is_faster) || !fits(request, one)) continue;
    best = &one;
    nearest = away;
  }
  return best;
}

bool has_spills(const AttentionVariant& variant, const VariantRequest& request) {
  return spilled_bytes(request.shape, variant).value_or(0) > 0;
}

}  // namespace

bool is_refused_variant(const AttentionVariant& variant, const VariantRequest& request) {
  const AttentionFamily* family = attention_families().find(variant.family);
  if (family == nullptr || family->traits().device != request.device) return true;
  if (variant.verifies() && !family->traits().can_verify) return true;
  if (variant.partition_size == 0 && !family->traits().has_persistent_schedule) return true;
  if (variant.partition_size % request.shape.cache.block_size != 0) return true;
  return family->refusal(request.shape, variant).has_value();
}

bool keeps_wanted(const AttentionVariant& variant, const VariantRequest& request) {
  return with_wanted(variant, request) == variant;
}

std::vector<AttentionVariant> variant_rule(const VariantRequest& request) {
  std::vector<AttentionVariant> preferences{AttentionVariant{}};
  if (request.device == Device::cuda) preferences = cuda_preferences(request);
  std::vector<AttentionVariant> taken;
  for (AttentionVariant& variant : preferences) {
    variant = with_wanted(std::move(variant), request);
    if (!is_refused_variant(variant, request)) taken.push_back(variant);
  }
  if (!taken.empty()) return taken;
  // Of all that refuse, the one that takes most says best what is wrong.
  const auto known = std::find_if(preferences.rbegin(), preferences.rend(), [](const AttentionVariant& variant) {
    return attention_families().find(variant.family) != nullptr;
  });
  if (known != preferences.rend()) return {*known};
  return {with_wanted({}, request)};
}

VariantChoice choose_variant(const VariantRequest& request, std::span<const TunedVariant> tuned, SpillCheck check) {
  if (const TunedVariant* found = find_tuned(request, tuned)) {
    return {found->variant, found->source, distance(request, *found) > 0};
  }
  const std::vector<AttentionVariant> rule = variant_rule(request);
  if (check == SpillCheck::skip || rule.size() == 1) return {rule.front()};
  for (const AttentionVariant& variant : rule) {
    if (!has_spills(variant, request)) return {variant};
  }
  return {rule.front()};
}

}  // namespace kvarium
