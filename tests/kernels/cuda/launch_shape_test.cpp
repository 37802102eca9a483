#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "kernels/attention/cuda_attention_family.hpp"

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
  shape.cache.num_kv_heads = 2;
  AttentionVariant variant;
  variant.family = name;

  const LaunchShape launch = find_cuda_attention_family(name)->launch_shape(shape, variant);

  CHECK(launch.block[0] > 0);
}
