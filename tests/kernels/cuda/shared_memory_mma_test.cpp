#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "kernels/attention/cuda/bulk_mma_plan.hpp"
#include "kernels/attention/cuda/staged_mma_plan.hpp"
#include "kernels/attention/cuda_attention_family.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/nvrtc_library.hpp"
#include "tests/support/cuda_settings.hpp"
#include "tests/support/decode_run.hpp"

// What is special to the families that stage cells in shared memory, staged_mma and bulk_mma.

namespace kvarium::test {
namespace {

const CudaAttentionFamily& family_called(const std::string& name) {
  const CudaAttentionFamily* const found = find_cuda_attention_family(name);
  if (found == nullptr) SKIP("this build has no CUDA families");
  return *found;
}

AttentionShape shape_of(CacheLayout layout, ElementType cache_type, int head_size, int block_size = 16) {
  AttentionShape shape;
  constexpr int num_kv_heads = 8;
  shape.cache = {layout, cache_type, 4096, block_size, num_kv_heads, head_size};
  shape.query_type = ElementType::bfloat16;
  shape.num_heads = num_kv_heads * 8;
  shape.num_sequences = 64;
  shape.max_seq_len = 8192;
  shape.max_num_blocks_per_sequence = 8192 / block_size;
  return shape;
}

AttentionVariant variant_of(const std::string& family, int partition_size, int block_n, int stages, int warps) {
  AttentionVariant variant{family, partition_size, block_n, "h200"};
  variant.stages = stages;
  variant.warps = warps;
  return variant;
}

TEST_CASE("families that stage cells spill no register where a ring fills a multiprocessor",
          "[kernels][cuda][compile]") {
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC is not on this machine");
  const std::string name = GENERATE("staged_mma", "bulk_mma");
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::hnd);
  const int head_size = GENERATE(64, 128);
  for (ElementType cache_type : {ElementType::bfloat16, ElementType::float8_e4m3}) {
    const AttentionShape shape = shape_of(layout, cache_type, head_size);
    AttentionVariant variant = variant_of(name, 0, layout == CacheLayout::split_x ? 32 : 16, 3, 4);
    variant.verification = is_float8(cache_type) ? "none" : "weighted_sum";
    const KernelSource source = family_called(name).device_source(shape, variant);
    const ResourceUsage usage = compile(source, parse_architecture("sm_90a"))->usage.at(source.kernels.front());
    CAPTURE(name, to_string(layout), to_string(cache_type), head_size, usage.registers);
    CHECK(usage.spill_store_bytes + usage.spill_load_bytes == 0);
    CHECK(usage.stack_bytes == 0);
  }
}

TEST_CASE("a ring takes the shared memory of its steps, and of its barriers", "[kernels][cuda]") {
  const AttentionShape rows = shape_of(CacheLayout::hnd, ElementType::bfloat16, 128);
  const AttentionShape wide_blocks = shape_of(CacheLayout::split_x, ElementType::bfloat16, 64, 128);
  constexpr std::size_t step = 2 * 16 * 256;
  CHECK(plan_staged_mma(rows, variant_of("staged_mma", 512, 16, 4, 4)).ring_bytes == 4 * 4 * step);
  CHECK(plan_bulk_mma(rows, variant_of("bulk_mma", 512, 16, 4, 4)).ring_bytes == 4 * (4 * (step + 16) + 8));
  // A stage of split_x holds whole blocks.
  CHECK(plan_bulk_mma(wide_blocks, variant_of("bulk_mma", 512, 16, 2, 1)).ring_bytes == 2 * (2 * 128 * 128 + 16) + 8);
  CHECK(plan_staged_mma(wide_blocks, variant_of("staged_mma", 512, 16, 2, 1)).ring_bytes == 2 * 2 * 16 * 128);
}

TEST_CASE("a ring of less than two stages, or one that no multiprocessor holds, is refused", "[kernels][cuda]") {
  const std::string name = GENERATE("staged_mma", "bulk_mma");
  const CudaAttentionFamily& family = family_called(name);
  const AttentionShape shape = shape_of(CacheLayout::hnd, ElementType::bfloat16, 128);
  CHECK_FALSE(family.refusal(shape, variant_of(name, 512, 16, 4, 4)));
  CHECK(family.refusal(shape, variant_of(name, 512, 16, 1, 4)).value().find("stages") != std::string::npos);
  CHECK(family.refusal(shape, variant_of(name, 512, 64, 4, 4)).value().find("shared memory") != std::string::npos);
}

TEST_CASE("bulk_mma needs compute capability 9.0, staged_mma 8.0", "[kernels][cuda]") {
  const AttentionShape shape = shape_of(CacheLayout::hnd, ElementType::bfloat16, 128);
  AttentionVariant bulk = variant_of("bulk_mma", 512, 16, 2, 4), staged = variant_of("staged_mma", 512, 16, 2, 4);
  bulk.device_profile = staged.device_profile = "a100";
  CHECK(family_called("bulk_mma").refusal(shape, bulk).value().find("sm_90") != std::string::npos);
  CHECK_FALSE(family_called("staged_mma").refusal(shape, staged));
}

TEST_CASE("rows of nhd have more copying warps than slabs", "[kernels][cuda]") {
  const AttentionVariant variant = variant_of("bulk_mma", 512, 16, 2, 4);
  CHECK(bulk_mma_producers(shape_of(CacheLayout::hnd, ElementType::bfloat16, 128), variant) == 1);
  CHECK(bulk_mma_producers(shape_of(CacheLayout::nhd, ElementType::bfloat16, 128), variant) == 4);
}

TEST_CASE("families that stage cells equal the oracle over a pairwise cover of their axes", "[gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  const std::string name = GENERATE("staged_mma", "bulk_mma");
  static_cast<void>(family_called(name));
  for (CudaSetting setting : pairwise_settings(name)) {
    // Records are the matter of the tests of verified attention.
    setting.variant.verification = "none";
    DecodeShape shape;
    shape.cache = setting.shape.cache;
    shape.cache.num_blocks = 0;
    shape.query_heads_per_kv_head = setting.shape.query_heads_per_kv_head();
    shape.query_type = setting.shape.query_type;
    shape.seq_lens = {0, 1, 17, 64, 255, 700, 1030};
    const DecodeCase item = make_decode_case(shape);
    INFO(setting);
    check_against_oracle(item, setting.variant);
    check_against_oracle(item, setting.variant, {.alibi = true, .softcap = 5, .window = 100});
  }
}

}  // namespace
}  // namespace kvarium::test
