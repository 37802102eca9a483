#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "kernels/attention/cuda/cache_alignment.hpp"
#include "kernels/attention/cuda/gqa_packed_plan.hpp"
#include "kernels/attention/cuda_attention_family.hpp"

namespace kvarium {
namespace {

constexpr int threads_per_warp = 32;

std::optional<std::string> setting_refusal(const AttentionVariant& variant) {
  if (auto reason = warps_refusal(variant)) return reason;
  if (variant.block_n != 8 && variant.block_n != 16 && variant.block_n != 32 && variant.block_n != 64) {
    return concatenate("block_n is ", variant.block_n, "; use 8, 16, 32 or 64");
  }
  constexpr int most_stages = 8;
  if (variant.stages < 1 || variant.stages > most_stages) {
    return concatenate("stages is ", variant.stages, "; use 1 to ", most_stages);
  }
  return std::nullopt;
}

/// V1: CUDA cores, each key and value read once for up to 8 of the query heads that share it.
class GqaPacked final : public CudaAttentionFamily {
 public:
  /// `unaligned`: the form that reads pieces element by element, for arrays at odd addresses; without it this is that
  /// form.
  explicit GqaPacked(std::unique_ptr<GqaPacked> unaligned) : unaligned_(std::move(unaligned)) {}

  AttentionTraits traits() const override {
    AttentionTraits traits{"CUDA cores, a thread block for each KV head and partition, every shape and type",
                           Device::cuda};
    traits.can_verify = true;
    return traits;
  }

  AttentionAxes axes() const override {
    AttentionAxes axes;
    axes.query_types.push_back(ElementType::float32);
    axes.cache_types.push_back(ElementType::float32);
    axes.head_sizes = {8, 64, 80, 128, 256};
    axes.block_sizes = {8, 16, 64, 256};
    axes.query_heads_per_kv_head = {1, 2, 4, 12};
    axes.block_ns = {8, 16, 32};
    axes.stages = {1, 2, 3};
    axes.warps = {1, 2, 4, 8};
    axes.combines = {"kernel", "dependent_launch", "ticket"};
    axes.verifications = {"none", "weighted_sum", "mixed_sum"};
    return axes;
  }

  TuningAxes tuning_axes() const override {
    TuningAxes axes;
    axes.partition_sizes = {512, 2048};
    axes.block_ns = {16, 32};
    axes.stages = {2, 3};
    axes.warps = {4, 8};
    axes.combines = {"dependent_launch", "ticket", "kernel"};
    return axes;
  }

  std::optional<std::string> design_refusal(const AttentionShape& shape,
                                            const AttentionVariant& variant) const override {
    if (auto reason = setting_refusal(variant)) return reason;
    if (num_thread_blocks(shape, variant) > std::numeric_limits<std::int32_t>::max()) {
      return "there are more than 2^31 thread blocks; use a larger partition_size";
    }
    return std::nullopt;
  }

  std::size_t shared_memory_bytes(const AttentionShape& shape, const AttentionVariant& variant) const override {
    return plan_gqa_packed(shape, variant).shared_bytes;
  }

  KernelSource device_source(const AttentionShape& shape, const AttentionVariant& variant) const override {
    const GqaPackedPlan plan = plan_gqa_packed(shape, variant);
    VariantConstants constants = attention_constants(shape, variant);
    constants.add("heads_per_block", plan.heads_per_block)
        .add("piece_bytes", plan.piece_bytes)
        .add("lanes_per_token", plan.lanes_per_token)
        .add("rows_per_batch", plan.rows_per_batch)
        .add("value_piece_bytes", plan.value_piece_bytes)
        .add("value_lanes", plan.value_lanes)
        .add("value_run_tokens", plan.value_run_tokens)
        .add("shared_bytes", static_cast<std::int64_t>(plan.shared_bytes))
        .add("pieces_are_aligned", unaligned_ != nullptr);
    return {"kernels/attention/cuda/gqa_packed.cuh", {"attend_partitions"}, constants};
  }

  LaunchShape launch_shape(const AttentionShape& shape, const AttentionVariant& variant) const override {
    LaunchShape launch;
    launch.grid[0] = static_cast<unsigned int>(num_thread_blocks(shape, variant));
    launch.block[0] = static_cast<unsigned int>(threads_per_warp * variant.warps);
    launch.dynamic_shared_bytes = plan_gqa_packed(shape, variant).shared_bytes;
    return launch;
  }

  void run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const override {
    const int alignment = plan_gqa_packed(arguments.shape, variant).alignment;
    validate_whole_pieces(arguments.cache);
    if (unaligned_ != nullptr && !has_aligned_pieces(arguments.cache, alignment)) {
      return unaligned_->run(arguments, variant);
    }
    CudaAttentionFamily::run(arguments, variant);
  }

 private:
  static std::int64_t num_thread_blocks(const AttentionShape& shape, const AttentionVariant& variant) {
    // Without a token there is still one partition, whose thread blocks answer for empty sequences.
    const std::int64_t partitions =
        std::max<std::int64_t>(num_partitions(shape.max_seq_len, variant.partition_size), 1);
    const int blocks = plan_gqa_packed(shape, variant).blocks_per_kv_head(shape.query_heads_per_kv_head());
    return partitions * shape.num_sequences * shape.cache.num_kv_heads * blocks;
  }

  std::unique_ptr<GqaPacked> unaligned_;
};

}  // namespace

void register_gqa_packed(Registry<AttentionFamily>& registry) {
  registry.add("gqa_packed", std::make_unique<GqaPacked>(std::make_unique<GqaPacked>(nullptr)));
}

}  // namespace kvarium
