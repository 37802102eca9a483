#include "kernels/attention/variant_choice.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "core/check.hpp"
#include "kernels/attention/tuning_candidates.hpp"
#include "kernels/attention/variant_resources.hpp"
#include "kernels/cuda/nvrtc_library.hpp"
#include "tests/support/random_cache.hpp"

using namespace kvarium;

namespace {

/// 64 sequences of 8,192 tokens, 32 query and 8 KV heads of 128 bfloat16 elements.
VariantRequest request_for(Device device) {
  VariantRequest request;
  request.device = device;
  request.shape.num_sequences = 64;
  request.shape.num_heads = 32;
  request.shape.max_seq_len = 8192;
  request.shape.query_type = ElementType::bfloat16;
  request.shape.cache = {CacheLayout::hnd, ElementType::bfloat16, 0, 16, 8, 128};
  request.attended_tokens = 8192;
  request.wanted.device_profile = device == Device::cuda ? "h200" : "native";
  return request;
}

/// A measurement of the request's own shape.
TunedVariant tuned_as(const VariantRequest& request, const AttentionVariant& variant, double seconds,
                      const std::string& source) {
  return {request.shape, request.attended_tokens, variant, seconds, source};
}

AttentionVariant host_variant(int partition_size) { return {"host", partition_size}; }

bool has_cuda_families() { return attention_families().find("register_mma") != nullptr; }

}  // namespace

TEST_CASE("without a measurement the host takes the host family at its defaults", "[kernels][tuning]") {
  CHECK(choose_variant(request_for(Device::cpu)) == VariantChoice{AttentionVariant{}, "rule", false});
}

TEST_CASE("without a measurement a GPU takes the persistent tensor-core design that spills nothing",
          "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);
  request.wanted.verification = GENERATE("none", "weighted_sum");

  const AttentionVariant chosen = choose_variant(request).variant;

  CHECK(chosen ==
        AttentionVariant{"register_mma", 0, 32, "h200", 2, 4, "dependent_launch", request.wanted.verification});
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC was not found; the rule was checked, spills were not");
  CHECK(spilled_bytes(request.shape, chosen) == 0);
}

TEST_CASE("before compute capability 9.0 the rule combines by a second kernel", "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);
  request.wanted.device_profile = GENERATE("a100", "bi_v100");

  CHECK(choose_variant(request, {}, SpillCheck::skip).variant.combine == "kernel");
}

TEST_CASE("the rule falls back to the family that takes the shape", "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);

  SECTION("float32") {
    request.shape.query_type = ElementType::float32;
    request.shape.cache.element_type = ElementType::float32;
  }
  SECTION("a head size that is no multiple of 16") { request.shape.cache.head_size = 72; }
  SECTION("KV blocks of 8 tokens") { request.shape.cache.block_size = 8; }
  SECTION("more query heads on a KV head than tensor cores take") { request.shape.num_heads = 8 * 17; }

  CHECK(choose_variant(request, {}, SpillCheck::skip).variant.family == "gqa_packed");
}

TEST_CASE("large heads take a shorter step of the same family", "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);
  request.shape.cache.head_size = 256;

  const AttentionVariant chosen = choose_variant(request).variant;

  CHECK_FALSE(is_refused_variant(chosen, request));
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC was not found; spills were not looked for");
  CHECK(spilled_bytes(request.shape, chosen) == 0);
}

TEST_CASE("more query heads on a KV head than one tile takes make the rule's step shorter", "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);
  const int heads_per_kv_head = GENERATE(8, 9, 16);
  request.shape.num_heads = request.shape.cache.num_kv_heads * heads_per_kv_head;

  const AttentionVariant chosen = choose_variant(request, {}, SpillCheck::skip).variant;

  CHECK(chosen.family == "register_mma");
  CHECK(chosen.block_n == (heads_per_kv_head > 8 ? 16 : 32));
}

TEST_CASE("what was asked for beside family auto is kept", "[kernels][tuning]") {
  VariantRequest request = request_for(Device::cpu);
  request.wanted.partition_size = 1024;
  request.wanted.block_n = 16;

  CHECK(choose_variant(request).variant == AttentionVariant{"host", 1024, 16});
  const std::vector<TunedVariant> tuned{tuned_as(request, host_variant(2048), 1, "a")};
  CHECK(choose_variant(request, tuned).source == "rule");
}

TEST_CASE("an axis that is bound is kept even at its default", "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);
  request.shape.cache.head_size = 256;
  request.binds_partition_size = request.binds_block_n = true;

  const AttentionVariant chosen = choose_variant(request, {}, SpillCheck::skip).variant;

  CHECK(chosen.partition_size == AttentionVariant{}.partition_size);
  CHECK(chosen.block_n == AttentionVariant{}.block_n);
  CHECK_FALSE(is_refused_variant(chosen, request));
}

TEST_CASE("without a measurement a GPU verifies with mixed_sum on tensor cores and spills nothing",
          "[kernels][tuning]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC was not found");
  VariantRequest request = request_for(Device::cuda);
  request.wanted.verification = "mixed_sum";
  request.shape.cache.element_type = GENERATE(ElementType::bfloat16, ElementType::float8_e4m3);
  request.shape.cache.layout = GENERATE(CacheLayout::hnd, CacheLayout::split_x);

  const AttentionVariant chosen = choose_variant(request).variant;

  CAPTURE(to_string(request.shape.cache), chosen.block_n);
  CHECK(chosen.family == "register_mma");
  CHECK(chosen.verification == "mixed_sum");
  CHECK(spilled_bytes(request.shape, chosen) == 0);
}

TEST_CASE("a request that nothing takes comes out as a variant that says why", "[kernels][tuning]") {
  VariantRequest request = request_for(Device::cpu);
  request.binds_partition_size = true;
  request.wanted.partition_size = 0;
  request.wanted.verification = "mixed_sum";

  const AttentionVariant chosen = choose_variant(request).variant;

  CHECK(chosen.family == "host");
  CHECK(chosen.verification == "mixed_sum");
  CHECK(is_refused_variant(chosen, request));
}

TEST_CASE("the fastest measured variant of the shape is taken", "[kernels][tuning]") {
  const VariantRequest request = request_for(Device::cpu);
  const std::vector<TunedVariant> tuned{tuned_as(request, host_variant(256), 3, "a"),
                                        tuned_as(request, host_variant(1024), 1, "a"),
                                        tuned_as(request, host_variant(2048), 2, "a")};

  CHECK(choose_variant(request, tuned) == VariantChoice{host_variant(1024), "a", false});
}

TEST_CASE("of two measurements of one shape the first source decides, however slow", "[kernels][tuning]") {
  const VariantRequest request = request_for(Device::cpu);
  const std::vector<TunedVariant> tuned{tuned_as(request, host_variant(256), 3, "newer"),
                                        tuned_as(request, host_variant(1024), 1, "older")};

  CHECK(choose_variant(request, tuned) == VariantChoice{host_variant(256), "newer", false});
}

TEST_CASE("the nearest shape decides, and a choice from another shape says so", "[kernels][tuning]") {
  const VariantRequest request = request_for(Device::cpu);
  TunedVariant twice = tuned_as(request, host_variant(1024), 1, "newer");
  twice.shape.num_sequences *= 2;
  TunedVariant thrice = tuned_as(request, host_variant(256), 1, "newest");
  thrice.attended_tokens *= 3;
  const std::vector<TunedVariant> both{thrice, twice};

  CHECK(choose_variant(request, both) == VariantChoice{host_variant(1024), "newer", true});

  const std::vector<TunedVariant> all{thrice, twice, tuned_as(request, host_variant(512), 1, "old")};
  CHECK(choose_variant(request, all) == VariantChoice{host_variant(512), "old", false});
}

TEST_CASE("more KV heads count as more sequences", "[kernels][tuning]") {
  VariantRequest request = request_for(Device::cpu);
  const std::vector<TunedVariant> tuned{tuned_as(request, host_variant(256), 1, "a")};
  request.shape.num_sequences = 32;
  request.shape.cache.num_kv_heads = 16;
  request.shape.num_heads = 64;

  CHECK(choose_variant(request, tuned).variant == host_variant(256));
}

TEST_CASE("a measurement of another kind of shape is not taken", "[kernels][tuning]") {
  const VariantRequest request = request_for(Device::cpu);
  TunedVariant other = tuned_as(request, host_variant(256), 1, "a");

  SECTION("layout") { other.shape.cache.layout = CacheLayout::nhd; }
  SECTION("element type") { other.shape.cache.element_type = ElementType::float8_e4m3; }
  SECTION("query type") { other.shape.query_type = ElementType::float16; }
  SECTION("head size") { other.shape.cache.head_size = 64; }
  SECTION("block size") { other.shape.cache.block_size = 32; }
  SECTION("query heads per KV head") { other.shape.num_heads = 64; }
  SECTION("more than four times as many sequences") { other.shape.num_sequences = 257; }
  SECTION("less than a quarter of the context") { other.attended_tokens = 2047; }
  SECTION("verification") { other.variant.verification = "weighted_sum"; }
  SECTION("device profile") { other.variant.device_profile = "a100"; }
  SECTION("another device") { other.variant.family = "register_mma"; }
  SECTION("a family that this build lacks") { other.variant.family = "nameless"; }
  SECTION("a setting that is refused") { other.variant.block_n = 0; }

  CHECK(choose_variant(request, std::vector<TunedVariant>{other}).source == "rule");
}

TEST_CASE("family auto attends host arrays as its choice does", "[kernels][tuning]") {
  const test::DecodeCase item = test::make_decode_case(
      {{CacheLayout::hnd, ElementType::float16, 0, 16, 2, 64}, 2, ElementType::float16, {5, 40}});
  test::DecodeResult chosen = test::make_result(item);
  test::DecodeResult given = test::make_result(item);

  paged_attention_v2(item.arguments(chosen.out.data(), chosen.lse.data()), {"auto", 32});
  paged_attention_v2(item.arguments(given.out.data(), given.lse.data()), {"host", 32});

  CHECK(chosen == given);
}

TEST_CASE("family auto that nothing takes is refused with the reason", "[kernels][tuning]") {
  const test::DecodeCase item =
      test::make_decode_case({{CacheLayout::hnd, ElementType::float16, 0, 16, 2, 64}, 2, ElementType::float16, {5}});
  test::DecodeResult result = test::make_result(item);
  AttentionVariant variant{"auto"};
  variant.block_n = 0;

  CHECK_THROWS_AS(paged_attention_v2(item.arguments(result.out.data(), result.lse.data()), variant), InputError);
}

TEST_CASE("a tuner tries what keeps the request and leaves references out", "[kernels][tuning]") {
  VariantRequest request = request_for(Device::cpu);
  request.wanted.block_n = 48;

  const TuningCandidates candidates = tuning_candidates(request, "");

  CHECK(candidates.variants.size() >= 3);
  for (const AttentionVariant& variant : candidates.variants) {
    CHECK(variant.family != "host_reference");
    CHECK(variant.block_n == 48);
    CHECK_FALSE(is_refused_variant(variant, request));
  }
  CHECK(candidates.spilling.empty());
}

TEST_CASE("a tuner of one family tries that one alone, and a reference only by name", "[kernels][tuning]") {
  const VariantRequest request = request_for(Device::cpu);

  CHECK(tuning_candidates(request, "host_reference").variants == std::vector<AttentionVariant>{{"host_reference"}});
  CHECK(tuning_candidates(request_for(Device::cuda), "host").variants.empty());
  CHECK_THROWS_AS(tuning_candidates(request, "nameless"), InputError);
}

TEST_CASE("kernels that spill registers are set apart from a tuner's candidates", "[kernels][tuning][compile]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC was not found");
  VariantRequest request = request_for(Device::cuda);
  request.shape.num_heads = 64;
  request.wanted.combine = "dependent_launch";
  std::size_t num_spilling = 0;
  for (const int head_size : {128, 192, 256}) {
    for (const CacheLayout layout : {CacheLayout::split_x, CacheLayout::hnd}) {
      CAPTURE(head_size, to_string(layout));
      request.shape.cache.head_size = head_size;
      request.shape.cache.layout = layout;

      const TuningCandidates candidates = tuning_candidates(request, "v2_faithful");

      CHECK(candidates.variants.size() + candidates.spilling.size() == 1);
      for (const AttentionVariant& variant : candidates.variants) CHECK(spilled_bytes(request.shape, variant) == 0);
      for (const AttentionVariant& variant : candidates.spilling) CHECK(*spilled_bytes(request.shape, variant) > 0);
      num_spilling += candidates.spilling.size();
    }
  }
  if (num_spilling == 0) SKIP("this NVRTC spills nothing here");
}

TEST_CASE("a tuner tries every setting that the fastest design takes", "[kernels][tuning][compile]") {
  if (!has_cuda_families()) SKIP("this build has no CUDA families");
  VariantRequest request = request_for(Device::cuda);
  request.wanted.warps = 8;
  request.wanted.combine = "dependent_launch";

  const TuningCandidates candidates = tuning_candidates(request, "register_mma");

  CHECK(candidates.variants.size() + candidates.spilling.size() + static_cast<std::size_t>(candidates.num_refused) ==
        9);
  CHECK(candidates.variants.size() >= 3);
}
