#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/element_conversion.hpp"
#include "core/paged_kv_cache.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "tests/support/attention_oracle.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/sparse_memory.hpp"

namespace kvarium::test {
namespace {

/// A cache whose last block begins past 2^31 elements; only touched pages take memory.
struct HugeCache {
  CacheGeometry geometry;
  SparseMemory key, value;

  explicit HugeCache(CacheLayout layout, ElementType type = ElementType::float16)
      : geometry{layout, type, 300'000, 16, 8, 64},
        key(tensor_bytes()),
        value(layout == CacheLayout::packed ? 4096 : tensor_bytes()) {}

  std::size_t tensor_bytes() const {
    return static_cast<std::size_t>(tensor_elements(geometry) * element_bytes(geometry.element_type));
  }

  PagedCacheView view() const {
    return dense_cache_view(geometry, key.data(), geometry.layout == CacheLayout::packed ? nullptr : value.data());
  }
};

TEST_CASE("bugs 1 and 2: blocks past 2^31 elements are written, attended and summed where they lie",
          "[kernels][sparse]") {
  const CacheLayout layout = GENERATE(from_range(all_layouts));
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
  attend(small.arguments(expected.out.data(), expected.lse.data()), {"host", 32, 16});

  for (const std::string& family : runnable_families()) {
    CAPTURE(family, to_string(layout));
    DecodeResult result = make_result(small);
    PagedAttentionArguments arguments = small.arguments(result.out.data(), result.lse.data());
    arguments.cache = huge.view();
    arguments.shape.cache = huge.geometry;
    arguments.shape.max_num_blocks_per_sequence = 3;
    arguments.block_tables = tables.data();
    const OracleResult oracle = attention_oracle(arguments);
    attend(arguments, {family, 32, 16});
    CHECK(worst_row(result.out.data(), shape.query_type, oracle.out, 64).error <= 2e-3);
    if (family == "host") CHECK(result == expected);
  }

  const std::vector<std::int64_t> ids{tables[0]}, small_ids{small.block_tables[0]}, first{0}, valid{16};
  const ChecksumFamily& sum = checksum_families().at("weighted_sum");
  CHECK(sum.compute({{huge.view(), 2, 0}}, {ids.data(), first.data(), valid.data(), 1}, {}) ==
        sum.compute({{small.cache.view(), 2, 0}}, {small_ids.data(), first.data(), valid.data(), 1}, {}));
}

TEST_CASE("bugs 1 and 2: tokens are written and gathered past 2^31 elements where they lie", "[kernels][sparse]") {
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const HugeCache huge(layout);
  constexpr std::size_t cell = 8 * 64;
  std::vector<std::uint16_t> key(2 * cell), value(2 * cell);
  for (std::size_t i = 0; i < 2 * cell; ++i) {
    key[i] = static_cast<std::uint16_t>(i + 1);
    value[i] = static_cast<std::uint16_t>(0x4000 + i);
  }
  const std::int64_t block = huge.geometry.num_blocks - 1;
  const std::vector<std::int64_t> slots{block * 16 + 15, block * 16 - 16 * 9};
  write_cache({key.data(), value.data(), ElementType::float16, slots.data(), 2}, huge.view());
  std::vector<std::uint16_t> key_back(2 * cell), value_back(2 * cell);

  gather_cells(huge.view(), slots, {key_back.data(), value_back.data()});

  CHECK(key_back == key);
  CHECK(value_back == value);
  // Head 7, element 63 of the cache's last token, counted by hand in each published shape.
  const std::int64_t slab = 16 * 8 * 64;
  const std::int64_t last = layout == CacheLayout::packed ? (block + 1) * 2 * slab - 1 - 64 : (block + 1) * slab - 1;
  CHECK(load_element_bits(huge.key.data(), last, ElementType::float16) == key[cell - 1]);
}

TEST_CASE("bugs 1 and 2: wider and narrower elements past 2^31 are attended where they lie", "[kernels][sparse]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(ElementType::float32, ElementType::float8_e4m3);
  const HugeCache huge(layout, type);
  DecodeShape shape = small_shape();
  shape.cache = {layout, type, 0, 16, 8, 64};
  shape.seq_lens = {33};
  const DecodeCase small = make_decode_case(shape);
  DecodeCase item = small;
  std::vector<BlockCopy> copies;
  for (std::size_t b = 0; b < 3; ++b) {
    item.block_tables[b] = static_cast<std::int32_t>(huge.geometry.num_blocks) - 1 - 11 * static_cast<std::int32_t>(b);
    copies.push_back({small.block_tables[b], item.block_tables[b]});
  }
  copy_blocks(small.cache.view(), huge.view(), copies);
  DecodeResult result = make_result(small);
  PagedAttentionArguments arguments = decode_arguments(item, result);
  arguments.cache = huge.view();
  arguments.shape.cache = huge.geometry;
  check_against_oracle(arguments, result, {family, 32, 16});
  CHECK(result == run_decode(small, {family, 32, 16}));
}

TEST_CASE("bug 14: partial outputs past 2^31 elements are addressed in 64 bits", "[kernels][sparse]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  constexpr std::int64_t sequences = 3, heads = 2, head_size = 256, partitions = 2'200'000;
  constexpr std::int64_t last_row = (sequences * heads - 1) * partitions;
  REQUIRE(last_row * head_size > (std::int64_t{1} << 31));
  DecodeShape shape;
  shape.cache = {CacheLayout::hnd, ElementType::float16, 0, 8, 1, head_size};
  shape.query_heads_per_kv_head = heads;
  shape.seq_lens = {20, 12, 17};
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult expected = run_decode(item, {family, 8, 8});
  const SparseMemory outputs(static_cast<std::size_t>(sequences * heads * head_size * partitions) * sizeof(float));
  const SparseMemory scalars(static_cast<std::size_t>(sequences * heads * partitions) * 2 * sizeof(float));
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = decode_arguments(item, result);
  arguments.shape.max_seq_len = partitions * 8;
  auto* sums = reinterpret_cast<float*>(scalars.data());
  arguments.partials = {sums, sums + sequences * heads * partitions, outputs.data(), ElementType::float32, partitions};

  attend(arguments, {family, 8, 8});

  CHECK(result == expected);
  // The partials of the last (sequence, head) lie where the published shape says.
  CHECK(sums[last_row] > 0.0F);
  CHECK(sums[last_row + 3] == 0.0F);
  CHECK(reinterpret_cast<const float*>(outputs.data())[last_row * head_size] != 0.0F);
}

}  // namespace
}  // namespace kvarium::test
