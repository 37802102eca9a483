#pragma once

#include <cstdint>

#include "experiments/config/point_config.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// Shape of the point's attention, block tables apart.
AttentionShape attention_shape(const BaseConfig& base);

/// Tokens that a sequence of the point attends on average: its length, or its window where that is shorter. Lengths
/// between batch.min_context_length and batch.context_length are log-uniform.
std::int64_t attended_tokens(const BaseConfig& base);

/// What the point asks `choose_variant` for.
VariantRequest variant_request(const PointConfig& point);

/// Whether the point leaves its variant open (`variant.family: auto`).
bool leaves_variant_open(const PointConfig& point);

/// The point's own variant (source "given"), or the one chosen for it: by the tuning archives of this device and these
/// versions, else by the rule. Errors: InputError for an archive in the tuning folder that is damaged or none.
VariantChoice point_variant(const PointConfig& point, SpillCheck check);

/// The point with its variant resolved. Errors as point_variant.
PointConfig with_variant(PointConfig point, const AttentionVariant& variant);

}  // namespace kvarium
