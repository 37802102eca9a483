#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/element_conversion.hpp"
#include "core/paged_kv_cache.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "tests/support/attention_oracle.hpp"
#include "tests/support/random_cache.hpp"
#include "tests/support/sparse_memory.hpp"

namespace kvarium::test {
namespace {

/// A cache whose last block begins past 2^31 elements; only touched pages take memory.
struct HugeCache {
  CacheGeometry geometry;
  SparseMemory key, value;

  explicit HugeCache(CacheLayout layout)
      : geometry{layout, ElementType::float16, 300'000, 16, 8, 64},
        key(static_cast<std::size_t>(tensor_elements(geometry)) * 2),
        value(layout == CacheLayout::packed ? 4096 : static_cast<std::size_t>(tensor_elements(geometry)) * 2) {}

  PagedCacheView view() const {
    return dense_cache_view(geometry, key.data(), geometry.layout == CacheLayout::packed ? nullptr : value.data());
  }
};

TEST_CASE("bugs 1 and 2: blocks past 2^31 elements are written, attended and summed where they lie", "[kernels][sparse]") {
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed);
  const HugeCache huge(layout);
  REQUIRE((huge.geometry.num_blocks - 1) * key_strides(huge.geometry).block > (std::int64_t{1} << 31));
  DecodeShape shape;
  shape.cache = {layout, ElementType::float16, 0, 16, 8, 64};
  shape.query_heads_per_kv_head = 2;
  shape.query_type = ElementType::float16;
  shape.seq_lens = {40};
  const DecodeCase small = make_decode_case(shape);
  std::vector<BlockCopy> copies;
  std::vector<std::int32_t> tables;
  for (std::int32_t b = 0; b < 3; ++b) {
    tables.push_back(static_cast<std::int32_t>(huge.geometry.num_blocks) - 1 - 7 * b);
    copies.push_back({small.block_tables[static_cast<std::size_t>(b)], tables.back()});
  }
  copy_blocks(small.cache.view(), huge.view(), copies);
  DecodeResult expected = make_result(small);
  paged_attention_v2(small.arguments(expected.out.data(), expected.lse.data()), {"host", 32, 16});

  for (const std::string& family : attention_families().names()) {
    if (attention_families().at(family).traits().device != Device::cpu) continue;
    CAPTURE(family, to_string(layout));
    DecodeResult result = make_result(small);
    PagedAttentionArguments arguments = small.arguments(result.out.data(), result.lse.data());
    arguments.cache = huge.view();
    arguments.shape.cache = huge.geometry;
    arguments.shape.max_num_blocks_per_sequence = 3;
    arguments.block_tables = tables.data();
    const OracleResult oracle = attention_oracle(arguments);
    paged_attention_v2(arguments, {family, 32, 16});
    CHECK(worst_row(result.out.data(), shape.query_type, oracle.out, 64).error <= 2e-3);
    if (family == "host") CHECK(result == expected);
  }

  const std::vector<std::int64_t> ids{tables[0]}, small_ids{small.block_tables[0]}, first{0}, valid{16};
  const ChecksumFamily& sum = checksum_families().at("weighted_sum");
  CHECK(sum.compute({{huge.view(), 2, 0}}, {ids.data(), first.data(), valid.data(), 1}, {}) ==
        sum.compute({{small.cache.view(), 2, 0}}, {small_ids.data(), first.data(), valid.data(), 1}, {}));
}

TEST_CASE("bug 14: partial outputs past 2^31 elements are addressed in 64 bits", "[kernels][sparse]") {
  constexpr std::int64_t sequences = 2, heads = 2, head_size = 256, partitions = 2'200'000;
  REQUIRE(sequences * heads * head_size * partitions > (std::int64_t{1} << 31));
  DecodeShape shape;
  shape.cache = {CacheLayout::hnd, ElementType::float16, 0, 8, 1, head_size};
  shape.query_heads_per_kv_head = heads;
  shape.seq_lens = {20, 12};
  const DecodeCase item = make_decode_case(shape);
  DecodeResult expected = make_result(item);
  paged_attention_v2(item.arguments(expected.out.data(), expected.lse.data()), {"host", 8, 8});
  const SparseMemory outputs(static_cast<std::size_t>(sequences * heads * head_size * partitions) * sizeof(float));
  const SparseMemory scalars(static_cast<std::size_t>(sequences * heads * partitions) * 2 * sizeof(float));
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = item.arguments(result.out.data(), result.lse.data());
  arguments.shape.max_seq_len = partitions * 8;
  auto* sums = reinterpret_cast<float*>(scalars.data());
  arguments.partials = {sums, sums + sequences * heads * partitions, outputs.data(), ElementType::float32, partitions};

  paged_attention_v2(arguments, {"host", 8, 8});

  CHECK(result == expected);
}

}  // namespace
}  // namespace kvarium::test
