#include "kernels/attention/attention_family.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/attention/variant_choice.hpp"
#include "kernels/checksums/checksum_input.hpp"

namespace kvarium {

void register_attention_families(Registry<AttentionFamily>& registry);

std::string to_string(Device device) { return device == Device::cpu ? "cpu" : "cuda"; }

const std::vector<std::string>& combine_names() {
  static const std::vector<std::string> names{"kernel", "dependent_launch", "ticket"};
  return names;
}

std::size_t AttentionFamily::shared_memory_bytes(const AttentionShape&, const AttentionVariant&) const { return 0; }

std::size_t AttentionFamily::workspace_bytes(const AttentionShape&, const AttentionVariant&) const { return 0; }

const Registry<AttentionFamily>& attention_families() {
  static const Registry<AttentionFamily> registry = [] {
    Registry<AttentionFamily> families("attention family");
    register_attention_families(families);
    return families;
  }();
  return registry;
}

namespace {

void validate_verification(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  const auto& names = verification_names();
  KVARIUM_VALIDATE(std::find(names.begin(), names.end(), variant.verification) != names.end(), "verification '",
                   variant.verification, "' is not known; use one of ", join(names));
  if (!variant.verifies()) return;
  const Verification& verification = arguments.verification;
  KVARIUM_VALIDATE(
      verification.expected != nullptr && verification.covered_tokens != nullptr && verification.result != nullptr,
      "verification '", variant.verification, "' needs records: pass expected, covered_tokens and result");
  const AttentionShape& shape = arguments.shape;
  KVARIUM_VALIDATE(are_weighted(verification.layer, verification.first_head, shape.cache.num_kv_heads),
                   "verification has layer ", verification.layer, " and first head ", verification.first_head, " of ",
                   shape.cache.num_kv_heads, "; use layers 0 to 2^44 and heads 0 to ", heads_per_layer_weight - 1);
  KVARIUM_VALIDATE(shape.max_seq_len <= most_verified_tokens, "max_seq_len is ", shape.max_seq_len, "; at most ",
                   most_verified_tokens, " tokens of a sequence can be verified");
  KVARIUM_VALIDATE(
      shape.num_sequences <= most_verified_sequences && shape.max_num_blocks_per_sequence <= most_verified_blocks,
      "a fault word names at most ", most_verified_sequences, " sequences of ", most_verified_blocks,
      " blocks; split the batch");
}

/// Device arrays come with a workspace or a stream; partial buffers are made for one partition size.
AttentionVariant resolve_family(const PagedAttentionArguments& arguments, const AttentionVariant& wanted) {
  const bool is_on_device = arguments.workspace.data != nullptr || arguments.stream != nullptr;
  VariantRequest request{arguments.shape, is_on_device ? Device::cuda : Device::cpu, wanted};
  AttentionVariant variant = choose_variant(request).variant;
  if (arguments.partials.tmp_out != nullptr) variant.partition_size = wanted.partition_size;
  return variant;
}

}  // namespace

void paged_attention_v2(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  if (variant.family == auto_family) return paged_attention_v2(arguments, resolve_family(arguments, variant));
  const AttentionFamily& family = attention_families().at(variant.family);
  validate_shapes(arguments, variant.partition_size);
  KVARIUM_VALIDATE(variant.partition_size > 0 || family.traits().has_persistent_schedule,
                   "partition_size is 0 but attention family '", variant.family,
                   "' has no persistent schedule; use a positive multiple of block_size ",
                   arguments.shape.cache.block_size);
  KVARIUM_VALIDATE(!variant.verifies() || family.traits().can_verify, "attention family '", variant.family,
                   "' cannot verify the cache; set verification: none");
  validate_verification(arguments, variant);
  if (const auto reason = family.refusal(arguments.shape, variant)) {
    throw InputError(concatenate("attention family '", variant.family, "' cannot run this: ", *reason));
  }
  if (family.traits().device == Device::cpu) validate_block_tables(arguments);
  family.run(arguments, variant);
}

}  // namespace kvarium
