#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// What a variant is asked for.
struct VariantRequest {
  AttentionShape shape;
  Device device = Device::cpu;
  /// Keys beside `family: auto`. device_profile and verification are always kept, the other axes where they differ from
  /// the defaults of AttentionVariant, or are bound.
  AttentionVariant wanted;
  /// Tokens that a sequence attends on average; what measurements of other shapes are compared by.
  std::int64_t attended_tokens = 0;
  /// Whether these axes of `wanted` are kept at their defaults too.
  bool binds_partition_size = false;
  bool binds_block_n = false;
};

/// One variant measured at one shape, on this device and with these versions of the kernels.
struct TunedVariant {
  AttentionShape shape;
  std::int64_t attended_tokens = 0;
  AttentionVariant variant;
  double seconds = 0;  ///< median time of a decode step
  std::string source;  ///< where the measurement is kept
};

/// A variant and why it was taken.
struct VariantChoice {
  AttentionVariant variant;
  /// "rule", or where the measurement is kept that chose it.
  std::string source = std::string(rule_source);
  /// Whether that measurement was made at another shape.
  bool is_extrapolated = false;

  static constexpr std::string_view rule_source = "rule";

  bool operator==(const VariantChoice&) const = default;
};

/// Whether the rule compiles what it thinks of (some seconds, the first time), to leave out what spills registers.
enum class SpillCheck : std::uint8_t { compile, skip };

/// Resolves the family `auto`.
/// 1. Of `tuned`, the fastest variant of the nearest shape that has the same layout, types, head size, block size,
/// query heads per KV head, device profile and verification, keeps what was asked for and does not refuse the shape.
/// Nearness is the distance in (log(num_sequences * num_kv_heads), log(attended_tokens)), each within a factor of 4; of
/// equally near ones the first of `tuned` decides which source is used, so newest ones come first.
/// 2. Else the first of `variant_rule` that does not spill registers, or its first where all do.
/// What comes out is not refused, unless nothing in this build takes the request: then it is what says why.
/// Errors: InputError for an unknown device profile.
VariantChoice choose_variant(const VariantRequest& request, std::span<const TunedVariant> tuned = {},
                             SpillCheck check = SpillCheck::compile);

/// Variants that take the request, best first where nothing is measured; one that refuses it where none takes it.
/// cpu: `host`. cuda: `register_mma` with the persistent schedule and 32 tokens a step (of five designs the
/// fastest at the one setting in which all were measured on an H200, docs/measurements/README.md; 16 tokens where 32
/// take too many registers), then `gqa_packed`, which takes every shape
/// and type, then, unverified, `v2_faithful`. Dependent launch from compute capability 9.0 on, else a second kernel.
std::vector<AttentionVariant> variant_rule(const VariantRequest& request);

/// Whether the variant cannot run the request on its device: its family is unknown, of another device or refuses it.
bool is_refused_variant(const AttentionVariant& variant, const VariantRequest& request);

/// Whether `variant` keeps what was asked for beside `family: auto`.
bool keeps_wanted(const AttentionVariant& variant, const VariantRequest& request);

}  // namespace kvarium
