#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <limits>

#include "core/element_conversion.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

TEST_CASE("bug 3: logits near -1e30 in any number of partitions give finite results", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const int partition_size = GENERATE(16, 64, 512);
  DecodeShape shape = small_shape();
  shape.query_type = ElementType::float32;
  shape.cache.element_type = ElementType::float32;
  DecodeCase item = make_decode_case(shape);
  const std::int64_t elements = static_cast<std::int64_t>(item.query.size()) / 4;
  for (std::int64_t e = 0; e < elements; ++e) store_element(item.query.data(), e, ElementType::float32, -1.0F);
  const CacheTensor key = item.cache.view().key;
  for (std::int64_t block = 0; block < item.cache.geometry().num_blocks; ++block) {
    for (std::int64_t e = 0; e < 2 * 16 * 64; ++e) {
      store_element(key.data, block * key.strides.block + e, ElementType::float32, 1.0F);
    }
  }
  check_against_oracle(item, {family, partition_size, 16}, {.scale = 1e30F / 64});
}

TEST_CASE("bugs 3 and 4: a sequence without tokens gives zeros and -inf beside others, sinks or not",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const bool sinks = GENERATE(false, true);
  const int partition_size = GENERATE(16, 64);
  DecodeShape shape = small_shape();
  shape.seq_lens = {0, 40, 0};
  const DecodeCase item = make_decode_case(shape);
  const auto heads = static_cast<std::size_t>(item.num_heads());
  DecodeResult result = make_result(item);
  check_against_oracle(decode_arguments(item, result, {.sinks = sinks}), result, {family, partition_size, 16});
  for (std::size_t row = 0; row < 3 * heads; ++row) {
    const bool is_empty = row / heads != 1;
    CHECK((result.lse[row] == -std::numeric_limits<float>::infinity()) == is_empty);
    for (std::size_t e = 0; is_empty && e < 64; ++e) {
      REQUIRE(load_element(result.out.data(), static_cast<std::int64_t>(row * 64 + e), shape.query_type) == 0.0F);
    }
  }
}

TEST_CASE("bug 23: K and V scales of fp8 caches each count once for any number of partitions", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const ElementType type = GENERATE(ElementType::float8_e4m3, ElementType::float8_e5m2);
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  DecodeShape shape = small_shape();
  shape.cache.element_type = type;
  shape.cache.layout = layout;
  const DecodeCase item = make_decode_case(shape);
  for (const auto& [key_scale, value_scale] :
       {std::pair{1.0F, 7.0F}, {0.01F, 0.07F}, {3.0F, 1.0F}, {0.0F, 2.0F}, {2.0F, 0.0F}, {40.0F, 1000.0F}}) {
    for (int partition_size : {16, 64, 512}) {
      check_against_oracle(item, {family, partition_size, 64}, {.key_scale = key_scale, .value_scale = value_scale});
    }
  }
}

TEST_CASE("bug 25: ALiBi is 0 at the newest token, is applied, and slope 0 leaves its head alone",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {1, 40};
  DecodeCase item = make_decode_case(shape);
  item.alibi_slopes = {0.5F, 0.0F, -0.25F, 0.0F};
  const DecodeResult plain = run_decode(item, {family, 64, 64});
  const DecodeResult biased = run_decode(item, {family, 64, 64}, {.alibi = true});
  for (std::size_t head = 0; head < 4; ++head) {
    CAPTURE(family, head);
    CHECK(plain.lse[head] == biased.lse[head]);
    CHECK((plain.lse[4 + head] == biased.lse[4 + head]) == (item.alibi_slopes[head] == 0.0F));
  }
  check_against_oracle(item, {family, 16, 16}, {.alibi = true});
}

TEST_CASE("window, soft-cap, ALiBi and sinks are right alone and together", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeOptions options =
      GENERATE(DecodeOptions{.window = 1}, DecodeOptions{.window = 20}, DecodeOptions{.softcap = 2},
               DecodeOptions{.alibi = true}, DecodeOptions{.sinks = true},
               DecodeOptions{.alibi = true, .sinks = true, .softcap = 5, .window = 33});
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::hnd);
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::bfloat16);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.query_type = type;
  shape.cache.element_type = type;
  check_against_oracle(make_decode_case(shape), {family, 32, 16}, options);
}

TEST_CASE("bfloat16 queries up to 1e30 stay within tolerance", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const float size = GENERATE(1e4F, 1e15F, 1e30F);
  DecodeShape shape = small_shape();
  shape.query_type = ElementType::bfloat16;
  shape.cache.element_type = ElementType::bfloat16;
  shape.query_size = size;
  check_against_oracle(make_decode_case(shape), {family, 32, 16});
}

}  // namespace
}  // namespace kvarium::test
