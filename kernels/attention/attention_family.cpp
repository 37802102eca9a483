#include "kernels/attention/attention_family.hpp"

#include "core/check.hpp"

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

void paged_attention_v2(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  const AttentionFamily& family = attention_families().at(variant.family);
  validate_shapes(arguments, variant.partition_size);
  KVARIUM_VALIDATE(variant.partition_size > 0 || family.traits().has_persistent_schedule,
                   "partition_size is 0 but attention family '", variant.family,
                   "' has no persistent schedule; use a positive multiple of block_size ",
                   arguments.shape.cache.block_size);
  if (const auto reason = family.refusal(arguments.shape, variant)) {
    throw InputError(concatenate("attention family '", variant.family, "' cannot run this: ", *reason));
  }
  if (family.traits().device == Device::cpu) validate_block_tables(arguments);
  family.run(arguments, variant);
}

}  // namespace kvarium
