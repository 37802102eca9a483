#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/check.hpp"
#include "kernels/attention/cuda_attention_family.hpp"
#include "tests/support/cuda_settings.hpp"

using namespace kvarium;

namespace {

std::vector<std::string> cuda_families() {
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    if (find_cuda_attention_family(name) != nullptr) names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("bug 12: a launch for empty sequences alone has a shape", "[kernels]") {
  const std::string name = GENERATE(from_range(cuda_families()));
  AttentionShape shape;
  shape.num_sequences = 2;
  shape.num_heads = 4;
  shape.query_type = ElementType::float16;
  shape.cache = {CacheLayout::hnd, ElementType::float16, 1, 16, 2, 64};
  AttentionVariant variant;
  variant.family = name;
  variant.partition_size = 512;
  variant.block_n = 16;
  variant.stages = 2;
  variant.warps = 4;
  const CudaAttentionFamily& family = *find_cuda_attention_family(name);
  REQUIRE(family.refusal(shape, variant).value_or("") == "");

  CHECK(family.launch_shape(shape, variant).block[0] > 0);
}

TEST_CASE("verification changes neither the cuts of sequences nor the heads of a warp", "[kernels][cuda]") {
  const std::string name = GENERATE(from_range(cuda_families()));
  const CudaAttentionFamily& family = *find_cuda_attention_family(name);
  if (!family.traits().can_verify) return;
  int compared = 0;
  for (const test::CudaSetting& setting : test::pairwise_settings(name)) {
    AttentionVariant plain = setting.variant, verified = setting.variant;
    plain.verification = "none";
    if (!verified.verifies()) verified.verification = "weighted_sum";
    if (family.refusal(setting.shape, plain) || family.refusal(setting.shape, verified)) continue;
    CAPTURE(setting);
    CHECK(family.launch_shape(setting.shape, plain).grid[0] == family.launch_shape(setting.shape, verified).grid[0]);
    CHECK(family.workspace_bytes(setting.shape, plain) == family.workspace_bytes(setting.shape, verified));
    ++compared;
  }
  CHECK(compared > 0);
}

TEST_CASE("more work than a grid holds is refused instead of left out", "[kernels][cuda]") {
  constexpr std::int64_t most = 2147483647;
  CHECK(shape_for_warps(0, 4).grid[0] == 0);
  CHECK(shape_for_warps(5, 4).grid[0] == 2);
  CHECK(shape_for_warps(5, 4).block[0] == 128);
  CHECK(shape_for_warps(4 * most, 4).grid[0] == most);
  CHECK_THROWS_AS(shape_for_warps(4 * most + 1, 4), InputError);
}
