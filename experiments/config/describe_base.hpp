#pragma once

#include "experiments/config/base_config.hpp"
#include "experiments/config/field_info.hpp"
#include "experiments/config/known_names.hpp"
#include "experiments/config/value_problems.hpp"
#include "sim/transfer/transfer_defect.hpp"

namespace kvarium {

// One description of each key of `base`. A visitor is called as `visitor.field(name, member, info)` for each key and
// `visitor.section(name, member)` for each map of keys, in the order files are written. Reading, setting, printing and
// identities of points all come from here.

/// Keys of `base.cache`.
template <class Visitor>
void describe_fields(Visitor& visitor, CacheConfig& cache) {
  visitor.field("layout", cache.layout, {.description = "memory order of the cache", .choices = known_layouts});
  visitor.field("element_type", cache.element_type,
                {.description = "type of a stored element", .choices = known_element_types});
  visitor.field("head_size", cache.head_size,
                {.description = "size of one head",
                 .unit = "elements",
                 .rule = "multiples of 8 from 8 to 256",
                 .problem = head_size_problem});
  visitor.field("block_size", cache.block_size,
                {.description = "size of a KV block",
                 .unit = "tokens",
                 .rule = "8, 16, 32, 64, 128 or 256",
                 .problem = block_size_problem});
  visitor.field("num_kv_heads", cache.num_kv_heads,
                {.description = "KV heads of a layer", .minimum = 1, .maximum = 65536});
  visitor.field("query_heads_per_kv_head", cache.query_heads_per_kv_head,
                {.description = "query heads that share a KV head", .minimum = 1, .maximum = 65536});
  visitor.field("num_layers", cache.num_layers, {.description = "layers of the cache", .minimum = 1, .maximum = 65536});
  visitor.field("source", cache.source,
                {.description = "synthetic, random_bits, or the path of a model dump relative to this file"});
}

/// How many tokens a key of `base.batch` may name.
inline constexpr double most_tokens = 2147483647;

/// Keys of `base.batch` that say how many tokens there are.
template <class Visitor>
void describe_lengths(Visitor& visitor, BatchConfig& batch) {
  visitor.field("num_sequences", batch.num_sequences,
                {.description = "sequences decoded together", .minimum = 1, .maximum = 1048576});
  visitor.field("context_length", batch.context_length,
                {.description = "tokens of each sequence, or of the longest",
                 .unit = "tokens",
                 .minimum = 0,
                 .maximum = most_tokens});
  visitor.field("min_context_length", batch.min_context_length,
                {.description = "above 0: lengths are log-uniform from here to context_length",
                 .unit = "tokens",
                 .minimum = 0,
                 .maximum = most_tokens});
  visitor.field("shared_prefix_length", batch.shared_prefix_length,
                {.description = "tokens every sequence begins with, stored once",
                 .unit = "tokens",
                 .minimum = 0,
                 .maximum = most_tokens});
}

/// Keys of `base.batch`.
template <class Visitor>
void describe_fields(Visitor& visitor, BatchConfig& batch) {
  describe_lengths(visitor, batch);
  visitor.field("fragmentation", batch.fragmentation,
                {.description = "share of blocks in random physical order", .unit = "1", .minimum = 0, .maximum = 1});
  visitor.field("query_type", batch.query_type,
                {.description = "type of queries and outputs", .choices = known_query_types});
  visitor.field(
      "sliding_window", batch.sliding_window,
      {.description = "last tokens attended; 0: all", .unit = "tokens", .minimum = 0, .maximum = most_tokens});
  visitor.field("softcap", batch.softcap,
                {.description = "bound of logits by softcap * tanh(logit / softcap); 0: off",
                 .unit = "1",
                 .minimum = 0,
                 .maximum = 1e30});
  visitor.field("alibi", batch.alibi, {.description = "whether logits fall with distance (ALiBi)"});
  visitor.field("sinks", batch.sinks, {.description = "whether each head has an attention sink"});
}

/// Keys of `base.variant`.
template <class Visitor>
void describe_fields(Visitor& visitor, AttentionVariant& variant) {
  visitor.field("family", variant.family,
                {.description = "kernel design; auto: the fastest one known, axes at their defaults included",
                 .choices = known_variants});
  visitor.field("partition_size", variant.partition_size,
                {.description = "tokens of one partition; 0: a persistent schedule (CUDA)",
                 .unit = "tokens",
                 .minimum = 0,
                 .maximum = 1 << 30});
  visitor.field("block_n", variant.block_n,
                {.description = "tokens of an inner step", .unit = "tokens", .minimum = 1, .maximum = 1 << 20});
  visitor.field("device_profile", variant.device_profile,
                {.description = "device whose limits hold; native: the one present", .choices = known_device_profiles});
  visitor.field("stages", variant.stages,
                {.description = "inner steps in flight (CUDA)", .unit = "1", .minimum = 1, .maximum = 64});
  visitor.field("warps", variant.warps,
                {.description = "warps of a thread block (CUDA)", .unit = "1", .minimum = 1, .maximum = 32});
  visitor.field("combine", variant.combine,
                {.description = "how partitions are merged (CUDA)", .choices = known_combines});
  visitor.field(
      "verification", variant.verification,
      {.description = "checksum that the cache is held against while it is attended", .choices = known_verifications});
}

/// Keys of `base.checksum` that only some families take.
template <class Visitor>
void describe_settings(Visitor& visitor, ChecksumConfig& checksum) {
  visitor.field("byte_order", checksum.byte_order,
                {.description = "cell: valid cells by layer, head and token; memory: whole blocks as they are stored",
                 .choices = byte_order_names});
  visitor.field("zero_means_absent", checksum.zero_means_absent,
                {.description = "whether a recorded value of 0 stands for none"});
  visitor.field("seed", checksum.seed,
                {.description = "of mixed_sum's keys and of fmix_digest's choice of buffers", .minimum = 0});
  visitor.field("sampled_buffers", checksum.sampled_buffers,
                {.description = "buffers that fmix_digest reads; 0: all", .minimum = 0});
  visitor.field("edge_width", checksum.edge_width,
                {.description = "what edge_crc reads at either end of a block's buffer",
                 .unit = "bytes",
                 .minimum = 1,
                 .maximum = 1 << 20});
  visitor.field(
      "canary_data", checksum.canary_data,
      {.description = "what kv_canary hashes of a token's row beside its place", .choices = canary_data_names});
}

/// Keys of `base.checksum`.
template <class Visitor>
void describe_fields(Visitor& visitor, ChecksumConfig& checksum) {
  visitor.field("family", checksum.family,
                {.description = "checksum that guards the cache", .choices = known_checksums});
  visitor.field("piece_width", checksum.piece_width,
                {.description = "width of a summed piece",
                 .unit = "bytes",
                 .rule = "1, 2, 4 or 8",
                 .problem = piece_width_problem});
  visitor.field("chunk", checksum.chunk,
                {.description = "pieces one unit of work sums; 0: the family's choice",
                 .unit = "pieces",
                 .minimum = 0,
                 .maximum = 1 << 30});
  describe_settings(visitor, checksum);
}

/// Keys of `base.fault`.
template <class Visitor>
void describe_fields(Visitor& visitor, FaultConfig& fault) {
  visitor.field("model", fault.model, {.description = "fault injected in each trial", .choices = known_faults});
  visitor.field("stage", fault.stage,
                {.description = "when it strikes: before the producer's sum, after it, in flight, after the check",
                 .choices = known_fault_stages});
  visitor.field("preset", fault.preset,
                {.description = "name that stands for model and settings", .choices = known_fault_presets});
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    FieldInfo field{.description = info.description, .unit = info.unit};
    if (info.allowed.empty()) {
      field.minimum = info.minimum;
      field.maximum = info.maximum;
      if (info.is_power_of_two) field.rule = "a power of two", field.problem = power_of_two_problem;
    } else {
      field.choices = [&info] { return info.allowed; };
    }
    std::visit([&](auto member) { visitor.field(info.name, fault.parameters.*member, field); }, info.member);
  }
}

/// Keys of `base.workload`.
template <class Visitor>
void describe_fields(Visitor& visitor, WorkloadConfig& workload) {
  visitor.field("working_set_bytes", workload.working_set_bytes,
                {.description = "memory read before any is read again; 0: one copy of the cache",
                 .unit = "bytes",
                 .minimum = 0,
                 .maximum = 1099511627776.0});
  visitor.field("concurrent", workload.concurrent,
                {.description = "whether decode attention runs beside the checksum, on a second stream (CUDA)"});
}

/// Keys of `base.transfer.producer` and `base.transfer.consumer`.
template <class Visitor>
void describe_fields(Visitor& visitor, TransferEngineConfig& engine) {
  visitor.field(
      "layout", engine.layout,
      {.description = "memory order of its caches; as_cache: that of cache", .choices = known_engine_layouts});
  visitor.field("block_size", engine.block_size,
                {.description = "size of its KV blocks; 0: that of cache",
                 .unit = "tokens",
                 .rule = "0, 8, 16, 32, 64, 128 or 256",
                 .problem = engine_block_size_problem});
  visitor.field("tensor_ranks", engine.tensor_ranks,
                {.description = "ranks that share out the KV heads", .minimum = 1, .maximum = 65536});
  visitor.field("pipeline_ranks", engine.pipeline_ranks,
                {.description = "ranks that share out the layers", .minimum = 1, .maximum = 65536});
}

/// Keys of `base.transfer`.
template <class Visitor>
void describe_fields(Visitor& visitor, TransferConfig& transfer) {
  visitor.field("defect", transfer.defect,
                {.description = "what engines or connectors get wrong", .choices = known_defects});
  visitor.field(
      "moment", transfer.moment,
      {.description = "when the damage is done, relative to the check on landing", .choices = strike_moment_names});
  visitor.field("path", transfer.path,
                {.description = "direct, or through a host tier", .choices = known_transfer_paths});
  visitor.section("producer", transfer.producer);
  visitor.section("consumer", transfer.consumer);
}

/// The sections of `base`.
template <class Visitor>
void describe_fields(Visitor& visitor, BaseConfig& base) {
  visitor.section("cache", base.cache);
  visitor.section("batch", base.batch);
  visitor.section("variant", base.variant);
  visitor.section("checksum", base.checksum);
  visitor.section("fault", base.fault);
  visitor.section("workload", base.workload);
  visitor.section("transfer", base.transfer);
}

}  // namespace kvarium
