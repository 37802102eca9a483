#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "kernels/attention/cuda/cache_alignment.hpp"
#include "kernels/attention/cuda/gqa_packed_plan.hpp"
#include "kernels/attention/cuda_attention_family.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/nvrtc_library.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/decode_settings.hpp"
#include "tests/support/pairwise.hpp"

namespace kvarium::test {
namespace {

const CudaAttentionFamily& family() {
  const CudaAttentionFamily* const found = find_cuda_attention_family("gqa_packed");
  if (found == nullptr) SKIP("this build has no CUDA families");
  return *found;
}

AttentionShape shape_of(CacheLayout layout, ElementType type, int head_size, int query_heads_per_kv_head) {
  AttentionShape shape;
  constexpr int num_kv_heads = 8;
  shape.cache = {layout, type, 4096, 16, num_kv_heads, head_size};
  shape.query_type = is_float8(type) ? ElementType::bfloat16 : type;
  shape.num_heads = num_kv_heads * query_heads_per_kv_head;
  shape.num_sequences = 64;
  shape.max_seq_len = 8192;
  shape.max_num_blocks_per_sequence = 512;
  return shape;
}

AttentionVariant variant_of(int block_n, int stages, const std::string& combine = "kernel") {
  AttentionVariant variant{"gqa_packed", 512, block_n, "h200", stages};
  variant.combine = combine;
  return variant;
}

TEST_CASE("gqa_packed spills no register in the settings one would choose", "[kernels][cuda][compile]") {
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC is not on this machine");
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::hnd);
  const ElementType type = GENERATE(ElementType::float16, ElementType::bfloat16);
  const int head_size = GENERATE(64, 128);
  const int query_heads = GENERATE(1, 2, 4);
  const AttentionShape shape = shape_of(layout, type, head_size, query_heads);
  for (AttentionVariant variant : {variant_of(16, 2), variant_of(8, 3)}) {
    variant.verification = query_heads == 4 ? "weighted_sum" : "none";
    const KernelSource source = family().device_source(shape, variant);
    const auto compiled = compile(source, parse_architecture("sm_90a"));
    const ResourceUsage usage = compiled->usage.at(source.kernels.front());
    CAPTURE(to_string(layout), to_string(type), head_size, query_heads, variant.block_n, usage.registers);
    CHECK(usage.spill_store_bytes + usage.spill_load_bytes == 0);
    CHECK(usage.stack_bytes == 0);
  }
}

TEST_CASE("gqa_packed reads cells once for up to eight query heads and deals more out evenly", "[kernels][cuda]") {
  const auto heads = [](ElementType type, int head_size, int group) {
    return plan_gqa_packed(shape_of(CacheLayout::hnd, type, head_size, group), variant_of(16, 2)).heads_per_block;
  };
  for (int group = 1; group <= 8; ++group) {
    CHECK(heads(ElementType::bfloat16, 128, group) == group);
    CHECK(heads(ElementType::float8_e4m3, 128, group) == group);
  }
  CHECK(heads(ElementType::float16, 128, 9) == 5);
  CHECK(heads(ElementType::float16, 128, 16) == 8);
  CHECK(heads(ElementType::float16, 256, 12) == 6);
}

TEST_CASE("pieces are aligned where strides and addresses are, tokens of a transposed V aside", "[kernels][cuda]") {
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  alignas(16) std::byte storage[32];
  const CacheGeometry geometry{layout, ElementType::float16, 4, 16, 2, 64};
  const auto view_at = [&](std::byte* data) {
    return dense_cache_view(geometry, data, layout == CacheLayout::packed ? nullptr : data);
  };
  CHECK(has_aligned_pieces(view_at(storage), 16));
  CHECK_FALSE(has_aligned_pieces(view_at(storage + 8), 16));
  CHECK(has_aligned_pieces(view_at(storage + 8), 8));
  PagedCacheView odd = view_at(storage);
  odd.value.strides.block += 4;
  CHECK_FALSE(has_aligned_pieces(odd, 16));
}

DecodeShape decode_shape(CacheLayout layout, ElementType query_type, ElementType cache_type, int head_size) {
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = cache_type;
  shape.cache.head_size = head_size;
  shape.query_type = query_type;
  return shape;
}

/// Every combination; what the family refuses must be refused by name.
bool any(const AxisPoint&) { return true; }

void skip_without_device() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  static_cast<void>(family());
}

AttentionVariant native_variant(int block_n, int stages, int warps) {
  AttentionVariant variant = variant_of(block_n, stages, "ticket");
  variant.partition_size = 64;
  variant.warps = warps;
  variant.device_profile = "native";
  return variant;
}

/// A pairwise cover of the axes of a warp's work: few enough to be compiled one after the other.
std::vector<DecodeSetting> step_settings() {
  constexpr std::array cache_types{ElementType::float32, ElementType::bfloat16, ElementType::float8_e4m3};
  constexpr std::array block_ns{8, 16, 32};
  constexpr std::array stages{1, 2, 3, 8};
  constexpr std::array warps{1, 2, 4, 8};
  std::vector<DecodeSetting> settings;
  for (const AxisPoint& point :
       pairwise_cover({all_layouts.size(), cache_types.size(), block_ns.size(), stages.size(), warps.size()}, any)) {
    DecodeShape shape = decode_shape(all_layouts[point[0]], ElementType::bfloat16, cache_types[point[1]], 128);
    shape.query_heads_per_kv_head = 4;
    settings.push_back({shape, native_variant(block_ns[point[2]], stages[point[3]], warps[point[4]])});
  }
  return settings;
}

/// The same for wide heads and groups of query heads.
std::vector<DecodeSetting> head_settings() {
  constexpr std::array cache_types{ElementType::float32, ElementType::float16, ElementType::float8_e5m2};
  constexpr std::array head_sizes{16, 192, 256};
  constexpr std::array groups{1, 3, 4, 6, 8, 17};
  std::vector<DecodeSetting> settings;
  for (const AxisPoint& point :
       pairwise_cover({all_layouts.size(), cache_types.size(), head_sizes.size(), groups.size()}, any)) {
    DecodeShape shape =
        decode_shape(all_layouts[point[0]], ElementType::float16, cache_types[point[1]], head_sizes[point[2]]);
    shape.query_heads_per_kv_head = groups[point[3]];
    settings.push_back({shape, native_variant(8, 2, 4)});
  }
  return settings;
}

TEST_CASE("covers of gqa_packed's axes on a GPU are few settings", "[kernels][cuda]") {
  CHECK(step_settings().size() <= 40);
  CHECK(head_settings().size() <= 40);
}

TEST_CASE("gqa_packed is right at every inner step, number of stages and of warps", "[kernels][gpu]") {
  skip_without_device();
  const std::vector<DecodeSetting> settings = step_settings();
  compile_ahead(settings);
  for (const DecodeSetting& setting : settings) {
    check_against_oracle(make_decode_case(setting.shape), setting.variant,
                         {.alibi = true, .sinks = true, .softcap = 5, .window = 50});
  }
}

TEST_CASE("gqa_packed is right for wide heads and any number of query heads", "[kernels][gpu]") {
  skip_without_device();
  const std::vector<DecodeSetting> settings = head_settings();
  compile_ahead(settings);
  for (const DecodeSetting& setting : settings) {
    check_against_oracle(make_decode_case(setting.shape), setting.variant);
  }
}

TEST_CASE("partitions combined by ticket have the bits of those that a second kernel combines", "[kernels][gpu]") {
  skip_without_device();
  const int partition_size = GENERATE(16, 64, 512);
  const bool sinks = GENERATE(false, true);
  DecodeShape shape = decode_shape(CacheLayout::hnd, ElementType::float16, ElementType::float16, 64);
  shape.query_heads_per_kv_head = 11;  // two thread blocks share a KV head
  const DecodeCase item = make_decode_case(shape);
  AttentionVariant variant = variant_of(16, 2);
  variant.partition_size = partition_size;
  variant.device_profile = "native";
  const DecodeResult by_kernel = run_decode(item, variant, {.sinks = sinks, .window = 70});
  variant.combine = "ticket";
  for (int repetition = 0; repetition < 20; ++repetition) {
    REQUIRE(run_decode(item, variant, {.sinks = sinks, .window = 70}) == by_kernel);
  }
}

}  // namespace
}  // namespace kvarium::test
