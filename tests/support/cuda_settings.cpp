#include "tests/support/cuda_settings.hpp"

#include "core/check.hpp"
#include "tests/support/pairwise.hpp"

namespace kvarium::test {
namespace {

/// The setting at a point of the axes; the order is that of `sizes_of`.
CudaSetting setting_at(const CudaAttentionFamily& family, const std::string& name, const AttentionAxes& axes,
                       const AxisPoint& point) {
  CudaSetting setting{&family, {}, {}};
  AttentionShape& shape = setting.shape;
  AttentionVariant& variant = setting.variant;
  constexpr int num_kv_heads = 2;
  shape.cache = {axes.layouts[point[0]], axes.cache_types[point[2]], 64, axes.block_sizes[point[4]],
                 num_kv_heads,           axes.head_sizes[point[3]]};
  shape.query_type = axes.query_types[point[1]];
  shape.num_heads = num_kv_heads * axes.query_heads_per_kv_head[point[5]];
  shape.num_sequences = 4;
  shape.max_seq_len = 4096;
  shape.max_num_blocks_per_sequence = shape.max_seq_len / shape.cache.block_size;
  variant.family = name;
  variant.device_profile = "h200";  // the same settings on every machine
  variant.partition_size = axes.partition_sizes[point[6]];
  variant.block_n = axes.block_ns[point[7]];
  variant.stages = axes.stages[point[8]];
  variant.warps = axes.warps[point[9]];
  variant.combine = axes.combines[point[10]];
  variant.verification = axes.verifications[point[11]];
  return setting;
}

std::vector<std::size_t> sizes_of(const AttentionAxes& axes) {
  return {axes.layouts.size(),         axes.query_types.size(), axes.cache_types.size(),
          axes.head_sizes.size(),      axes.block_sizes.size(), axes.query_heads_per_kv_head.size(),
          axes.partition_sizes.size(), axes.block_ns.size(),    axes.stages.size(),
          axes.warps.size(),           axes.combines.size(),    axes.verifications.size()};
}

bool is_allowed(const CudaSetting& setting) {
  try {
    validate(setting.shape.cache);
  } catch (const InputError&) {
    return false;
  }
  return setting.variant.partition_size % setting.shape.cache.block_size == 0 &&
         !setting.family->refusal(setting.shape, setting.variant);
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const CudaSetting& setting) {
  const AttentionVariant& variant = setting.variant;
  return stream << variant.family << " on " << to_string(setting.shape.cache) << ", query "
                << to_string(setting.shape.query_type) << ", " << setting.shape.query_heads_per_kv_head()
                << " query heads per KV head, partition_size " << variant.partition_size << ", block_n "
                << variant.block_n << ", stages " << variant.stages << ", warps " << variant.warps << ", combine "
                << variant.combine << ", verification " << variant.verification;
}

std::vector<std::string> cuda_families() {
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    if (find_cuda_attention_family(name) != nullptr) names.push_back(name);
  }
  return names;
}

std::vector<CudaSetting> pairwise_settings(const std::string& family) {
  const CudaAttentionFamily& item = *find_cuda_attention_family(family);
  const AttentionAxes axes = item.axes();
  std::vector<CudaSetting> settings;
  for (const AxisPoint& point : pairwise_cover(sizes_of(axes), [&](const AxisPoint& candidate) {
         return is_allowed(setting_at(item, family, axes, candidate));
       })) {
    settings.push_back(setting_at(item, family, axes, point));
  }
  return settings;
}

std::vector<KernelSource> sources_of(const CudaSetting& setting) {
  std::vector<KernelSource> sources{setting.family->device_source(setting.shape, setting.variant)};
  if (setting.variant.combine != "ticket")
    sources.push_back(setting.family->reduction_source(setting.shape, setting.variant));
  return sources;
}

}  // namespace kvarium::test
