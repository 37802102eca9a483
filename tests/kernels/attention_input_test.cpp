#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "core/element_conversion.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

constexpr std::int32_t largest_id = std::numeric_limits<std::int32_t>::max();

TEST_CASE("bug 8: a length that fills its block table row is right, a longer or negative one is refused",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {48, 47};
  DecodeCase item = make_decode_case(shape);
  const std::vector<std::int32_t>& tables = item.block_tables;
  item.block_tables = {tables[0], tables[1], tables[2], tables[5], tables[6], tables[7]};
  item.max_num_blocks_per_sequence = 3;
  check_against_oracle(item, {family, 64, 64});
  if (!reads_host_arrays(family)) return;
  for (std::int32_t length : {49, 64, largest_id, -1}) {
    item.shape.seq_lens[1] = length;
    CAPTURE(family, length);
    CHECK_THROWS_MATCHES(run_decode(item, {family, 64, 64}), InputError,
                         MessageMatches(ContainsSubstring("seq_lens[1]")));
  }
}

TEST_CASE("bug 10: ids out of range in the part attended are reported by place, never mapped to a block",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {16, 32};
  DecodeCase item = make_decode_case(shape);
  if (!reads_host_arrays(family)) SKIP("block tables on a device are not checked");
  const auto entry = static_cast<std::size_t>(item.max_num_blocks_per_sequence + 1);
  for (std::int32_t id : {-1, std::numeric_limits<std::int32_t>::min(), largest_id,
                          static_cast<std::int32_t>(item.cache.geometry().num_blocks)}) {
    item.block_tables[entry] = id;
    CAPTURE(family, id);
    CHECK_THROWS_MATCHES(run_decode(item, {family, 64, 64}), InputError,
                         MessageMatches(ContainsSubstring("block_tables[1, 1] is " + std::to_string(id))));
  }
}

TEST_CASE("bug 12: a batch without sequences does nothing", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {};
  CHECK_NOTHROW(run_decode(make_decode_case(shape), {family, 64, 64}));
}

TEST_CASE("bug 12: a block table without columns suits empty sequences alone", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {0, 0};
  DecodeCase item = make_decode_case(shape);
  item.block_tables.clear();
  item.max_num_blocks_per_sequence = 0;
  check_against_oracle(item, {family, 64, 64});
  if (!reads_host_arrays(family)) return;
  item.shape.seq_lens = {0, 1};
  CHECK_THROWS_MATCHES(run_decode(item, {family, 64, 64}), InputError,
                       MessageMatches(ContainsSubstring("seq_lens[1]")));
}

TEST_CASE("bug 12: a query without heads, or with heads that no KV head serves, is refused", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = make_decode_case(small_shape());
  for (int num_heads : {0, -2, 1, 3, 5}) {
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    arguments.shape.num_heads = num_heads;
    CAPTURE(family, num_heads);
    CHECK_THROWS_MATCHES(attend(arguments, {family, 64, 64}), InputError,
                         MessageMatches(ContainsSubstring("num_heads")));
  }
}

TEST_CASE("bug 22: strided queries at odd addresses are read as they are", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = make_decode_case(small_shape());
  const DecodeResult expected = run_decode(item, {family, 64, 64});
  const std::size_t row = item.query.size() / item.shape.seq_lens.size();
  for (std::size_t shift : {2, 4, 6, 8, 10}) {
    std::vector<std::byte> padded(2 * item.query.size() + 64);
    for (std::size_t s = 0; s < item.shape.seq_lens.size(); ++s) {
      std::copy_n(item.query.begin() + static_cast<std::ptrdiff_t>(s * row), row,
                  padded.begin() + static_cast<std::ptrdiff_t>(shift + s * (row + 10)));
    }
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    arguments.query = padded.data() + shift;
    arguments.query_stride = static_cast<std::int64_t>(row + 10) / 2;
    attend(arguments, {family, 64, 64});
    CHECK(result == expected);
  }
}

TEST_CASE("bug 22: an output at an odd address is written there and nowhere else", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = make_decode_case(small_shape());
  const DecodeResult expected = run_decode(item, {family, 64, 64});
  for (std::size_t shift : {2, 4, 6, 8}) {
    constexpr std::byte poison{0xEE};
    DecodeResult result = make_result(item);
    std::vector<std::byte> padded(result.out.size() + 16, poison);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    arguments.out = padded.data() + shift;
    attend(arguments, {family, 64, 64});
    const auto begin = padded.begin() + static_cast<std::ptrdiff_t>(shift);
    const auto end = begin + static_cast<std::ptrdiff_t>(result.out.size());
    CHECK(std::equal(begin, end, expected.out.begin()));
    CHECK(std::count(padded.begin(), begin, poison) + std::count(end, padded.end(), poison) == 16);
  }
}

/// A tensor's elements moved to strides with gaps, beginning `shift` bytes into `memory`.
CacheTensor spread(const CacheGeometry& geometry, const CacheTensor& dense, std::int64_t gap, std::size_t shift,
                   std::vector<std::byte>& memory) {
  CacheTensor tensor = dense;
  tensor.strides.block += gap;
  const std::int64_t bytes = element_bytes(geometry.element_type);
  memory.assign(static_cast<std::size_t>(geometry.num_blocks * tensor.strides.block * bytes) + shift, std::byte{0xFF});
  tensor.data = memory.data() + shift;
  const std::int64_t block_bytes =
      std::int64_t{geometry.num_kv_heads} * geometry.head_size * geometry.block_size * bytes;
  for (std::int64_t block = 0; block < geometry.num_blocks; ++block) {
    std::copy_n(dense.data + block * dense.strides.block * bytes, block_bytes,
                tensor.data + block * tensor.strides.block * bytes);
  }
  return tensor;
}

TEST_CASE("bug 22: caches with odd block strides at odd addresses are read as they are", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd);
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::float8_e4m3);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult expected = run_decode(item, {family, 64, 64});
  for (int gap : {1, 3}) {
    std::vector<std::byte> key, value;
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    const auto shift = static_cast<std::size_t>(gap * element_bytes(type));
    arguments.cache.key = spread(arguments.shape.cache, arguments.cache.key, gap, shift, key);
    arguments.cache.value = spread(arguments.shape.cache, arguments.cache.value, gap, shift + 4, value);
    attend(arguments, {family, 64, 64});
    CAPTURE(family, to_string(item.cache.geometry()), gap);
    CHECK(result == expected);
  }
}

}  // namespace
}  // namespace kvarium::test
