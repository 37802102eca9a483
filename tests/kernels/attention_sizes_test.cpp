#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

DecodeShape one_head_shape(CacheLayout layout, ElementType type, int head_size) {
  DecodeShape shape = small_shape();
  shape.cache = {layout, type, 0, 16, 1, head_size};
  return shape;
}

bool layout_takes(CacheLayout layout, ElementType type, int head_size) {
  return layout != CacheLayout::split_x || head_size % split_group_size(type) == 0;
}

TEST_CASE("bug 20: every multiple of 8 up to 256 is a head size in every layout", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (int head_size = 8; head_size <= 256; head_size += 8) {
    DecodeShape shape = one_head_shape(layout, ElementType::float16, head_size);
    shape.seq_lens = {33};
    check_against_oracle(make_decode_case(shape), {family, 64, 32});
  }
}

TEST_CASE("bug 20: any other head size is refused, and nothing is written", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = make_decode_case(small_shape());
  const DecodeResult untouched = make_result(item);
  for (int head_size = -8; head_size <= 300; ++head_size) {
    if (head_size >= 8 && head_size <= 256 && head_size % 8 == 0) continue;
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    arguments.shape.cache.head_size = arguments.cache.geometry.head_size = head_size;
    CAPTURE(family, head_size);
    CHECK_THROWS_AS(attend(arguments, {family, 64, 64}), InputError);
    CHECK(result == untouched);
  }
}

TEST_CASE("bug 21: fp8 caches are right for every head size, rows of odd multiples of 8 bytes included",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const ElementType type = GENERATE(ElementType::float8_e4m3, ElementType::float8_e5m2);
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (int head_size = 8; head_size <= 256; head_size += 8) {
    if (!layout_takes(layout, type, head_size)) continue;
    DecodeShape shape = one_head_shape(layout, type, head_size);
    shape.cache.block_size = 8;
    shape.seq_lens = {40};
    check_against_oracle(make_decode_case(shape), {family, 64, 64}, {.key_scale = 0.5F, .value_scale = 0.25F});
  }
}

TEST_CASE("bug 26: every length modulo the block size is right for every block size", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const int block_size = GENERATE(8, 16, 32, 64, 128, 256);
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd);
  DecodeShape shape = one_head_shape(layout, ElementType::float16, 8);
  shape.query_heads_per_kv_head = 1;
  shape.cache.block_size = block_size;
  shape.seq_lens.clear();
  for (int length = 0; length <= 2 * block_size + 1; ++length) shape.seq_lens.push_back(length);
  check_against_oracle(make_decode_case(shape), {family, block_size, 16});
}

TEST_CASE("bug 16: contexts around every number of partitions that a fixed array might hold are not cut",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const int cap = GENERATE(64, 128, 256, 512, 1024, 2048);
  DecodeShape shape = one_head_shape(CacheLayout::hnd, ElementType::float16, 8);
  shape.query_heads_per_kv_head = 1;
  shape.cache.block_size = 8;
  shape.seq_lens = {(cap - 1) * 8, cap * 8, cap * 8 + 1, (cap + 1) * 8};
  check_against_oracle(make_decode_case(shape), {family, 8, 8});
}

TEST_CASE("bug 28: 20,548 tokens of 128 elements in 129 partitions are right", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = one_head_shape(CacheLayout::hnd, ElementType::float16, 128);
  shape.query_heads_per_kv_head = 1;
  shape.seq_lens = {20'548};
  REQUIRE(num_partitions(20'548, 160) == 129);
  check_against_oracle(make_decode_case(shape), {family, 160, 64});
}

TEST_CASE("bug 28: many partitions and odd inner steps are right", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = one_head_shape(CacheLayout::hnd, ElementType::float16, 64);
  shape.seq_lens = {2054};
  for (int block_n : {1, 7, 16, 33, 64, 600}) check_against_oracle(make_decode_case(shape), {family, 16, block_n});
}

TEST_CASE("any number of query heads shares a KV head", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const int group = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16);
  DecodeShape shape = small_shape();
  shape.query_heads_per_kv_head = group;
  shape.cache.layout = all_layouts[static_cast<std::size_t>(group % 4)];
  check_against_oracle(make_decode_case(shape), {family, 64, 32});
}

TEST_CASE("every family equals the oracle on every layout and cache type", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::bfloat16,
                                    ElementType::float8_e4m3, ElementType::float8_e5m2);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  shape.cache.head_size = 80;
  for (ElementType query_type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    shape.query_type = query_type;
    const DecodeCase item = make_decode_case(shape);
    for (int block_n : {24, 32}) check_against_oracle(item, {family, 48, block_n});
  }
}

}  // namespace
}  // namespace kvarium::test
