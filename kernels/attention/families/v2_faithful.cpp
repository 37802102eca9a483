#include <algorithm>

#include "core/check.hpp"
#include "kernels/attention/cuda_attention_family.hpp"

namespace kvarium {
namespace {

/// Thread blocks on one of the grid's short axes.
constexpr std::int64_t most_blocks_on_y = 32768;

/// V0: two kernels and their buffers as vLLM published them, one thread block for each (query head, sequence,
/// partition).
class V2Faithful final : public CudaAttentionFamily {
 public:
  AttentionTraits traits() const override {
    return {"CUDA cores, a thread block for each query head, as published; plain", Device::cuda, true, true};
  }

  AttentionAxes axes() const override {
    AttentionAxes axes;
    axes.query_types.push_back(ElementType::float32);
    axes.cache_types.push_back(ElementType::float32);
    axes.head_sizes = {8, 24, 80, 128, 256};
    axes.block_sizes = {8, 16, 64, 256};
    axes.query_heads_per_kv_head = {1, 3, 8};
    axes.block_ns = {1, 64, 100};
    axes.combines = {"kernel", "dependent_launch"};
    return axes;
  }

  TuningAxes tuning_axes() const override {
    TuningAxes axes;
    axes.combines = {"dependent_launch", "kernel"};
    return axes;
  }

  std::optional<std::string> design_refusal(const AttentionShape& shape,
                                            const AttentionVariant& variant) const override {
    if (variant.combine == "ticket") return "it has no combine by ticket; use combine: kernel";
    constexpr int most_static_bytes = 48 * 1024;
    if (shared_memory_bytes(shape, variant) > most_static_bytes) return "block_n is above 12288; use a smaller one";
    return std::nullopt;
  }

  std::size_t shared_memory_bytes(const AttentionShape&, const AttentionVariant& variant) const override {
    return sizeof(float) * static_cast<std::size_t>(variant.block_n);
  }

  KernelSource device_source(const AttentionShape& shape, const AttentionVariant& variant) const override {
    return {"kernels/attention/cuda/v2_faithful.cuh", {"attend_partitions"}, attention_constants(shape, variant)};
  }

  LaunchShape launch_shape(const AttentionShape& shape, const AttentionVariant& variant) const override {
    const std::int64_t partitions = num_partitions(shape.max_seq_len, variant.partition_size);
    const std::int64_t on_y = std::clamp<std::int64_t>(partitions, 1, most_blocks_on_y);
    LaunchShape launch;
    launch.grid = {static_cast<unsigned int>(shape.num_sequences * shape.num_heads), static_cast<unsigned int>(on_y),
                   static_cast<unsigned int>(divide_up(partitions, on_y))};
    launch.block[0] = 128;
    return launch;
  }
};

}  // namespace

void register_v2_faithful(Registry<AttentionFamily>& registry) {
  registry.add("v2_faithful", std::make_unique<V2Faithful>());
}

}  // namespace kvarium
