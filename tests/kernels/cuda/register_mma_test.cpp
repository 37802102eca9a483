#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "kernels/attention/cuda/register_mma_plan.hpp"
#include "kernels/attention/cuda_attention_family.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/nvrtc_library.hpp"

namespace kvarium::test {
namespace {

const CudaAttentionFamily& family() {
  const CudaAttentionFamily* const found = find_cuda_attention_family("register_mma");
  if (found == nullptr) SKIP("this build has no CUDA families");
  return *found;
}

AttentionShape shape_of(CacheLayout layout, ElementType cache_type, int head_size, int query_heads_per_kv_head) {
  AttentionShape shape;
  constexpr int num_kv_heads = 8;
  shape.cache = {layout, cache_type, 4096, 16, num_kv_heads, head_size};
  shape.query_type = ElementType::bfloat16;
  shape.num_heads = num_kv_heads * query_heads_per_kv_head;
  shape.num_sequences = 64;
  shape.max_seq_len = 8192;
  shape.max_num_blocks_per_sequence = 512;
  return shape;
}

AttentionVariant variant_of(int partition_size, int block_n) {
  AttentionVariant variant{"register_mma", partition_size, block_n, "h200"};
  variant.combine = "dependent_launch";
  return variant;
}

/// The largest inner step that the family takes: what hides the memory's latency best.
AttentionVariant widest_variant(const AttentionShape& shape, int partition_size) {
  for (int block_n : {64, 32, 16}) {
    if (!family().refusal(shape, variant_of(partition_size, block_n))) return variant_of(partition_size, block_n);
  }
  FAIL("register_mma takes no block_n");
  return {};
}

TEST_CASE("register_mma spills no register at its widest inner step", "[kernels][cuda][compile]") {
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC is not on this machine");
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::hnd);
  const ElementType cache_type = GENERATE(ElementType::bfloat16, ElementType::float8_e4m3);
  const int head_size = GENERATE(64, 128, 256);
  const AttentionShape shape = shape_of(layout, cache_type, head_size, 8);
  const AttentionVariant variant = widest_variant(shape, 0);
  for (const KernelSource& source :
       {family().device_source(shape, variant), family().reduction_source(shape, variant)}) {
    const auto compiled = compile(source, parse_architecture("sm_90a"));
    const ResourceUsage usage = compiled->usage.at(source.kernels.front());
    CAPTURE(to_string(layout), to_string(cache_type), head_size, variant.block_n, source.kernels.front());
    CHECK(usage.spill_store_bytes + usage.spill_load_bytes == 0);
    CHECK(usage.stack_bytes == 0);
  }
}

TEST_CASE("register_mma refuses inner steps that do not fit its registers and keeps wide queries in shared memory",
          "[kernels][cuda]") {
  const AttentionShape wide = shape_of(CacheLayout::hnd, ElementType::bfloat16, 256, 4);
  CHECK(family().refusal(wide, variant_of(512, 32)).value().find("block_n") != std::string::npos);
  CHECK_FALSE(family().refusal(wide, variant_of(512, 16)));
  CHECK(plan_register_mma(wide, variant_of(512, 16))->query_in_shared_memory);
  CHECK_FALSE(plan_register_mma(shape_of(CacheLayout::hnd, ElementType::bfloat16, 128, 4), variant_of(512, 32))
                  ->query_in_shared_memory);
}

TEST_CASE("register_mma takes up to 16 query heads a KV head in one warp where they fit, in two where they do not",
          "[kernels][cuda]") {
  const auto warps = [](int head_size, int block_n, int group) {
    const AttentionShape shape = shape_of(CacheLayout::hnd, ElementType::bfloat16, head_size, group);
    return plan_register_mma(shape, variant_of(512, block_n))->warps_per_kv_head(group);
  };
  CHECK(warps(128, 32, 8) == 1);
  CHECK(warps(128, 16, 16) == 1);
  CHECK(warps(128, 32, 16) == 2);
  CHECK(warps(256, 16, 9) == 2);
}

TEST_CASE("the persistent schedule's workspace does not grow with the batch", "[kernels][cuda]") {
  AttentionShape shape = shape_of(CacheLayout::hnd, ElementType::bfloat16, 128, 4);
  const std::size_t bytes = family().workspace_bytes(shape, variant_of(0, 32));
  // 132 multiprocessors of 8 warps for 8 KV heads are 132 ranges of 2 rows for 32 query heads.
  CHECK(bytes == 132 * 2 * 32 * (128 + 2) * sizeof(float));
  shape.num_sequences *= 100;
  shape.max_seq_len *= 100;
  CHECK(family().workspace_bytes(shape, variant_of(0, 32)) == bytes);
}

}  // namespace
}  // namespace kvarium::test
