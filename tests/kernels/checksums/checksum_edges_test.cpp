#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <limits>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "core/paged_kv_cache.hpp"
#include "core/random.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium::test {
namespace {

CacheGeometry geometry_in(CacheLayout layout) { return {layout, ElementType::float16, 3, 16, 2, 16}; }

PagedKvCache random_cache() {
  PagedKvCache cache(geometry_in(CacheLayout::hnd));
  CounterRandom random({1, 2}, 0);
  for (std::size_t i = 0; i < cache.size_bytes(); ++i) cache.storage()(i) = static_cast<std::byte>(random.below(256));
  return cache;
}

/// The sum of each block from request position `first_token` on.
std::vector<std::uint64_t> sums_of(const PagedCacheView& view, std::int64_t valid_tokens, int piece_width) {
  const std::vector<std::int64_t> blocks{0, 1, 2}, first_tokens{16, 0, 5}, valid(3, valid_tokens);
  const ChecksumRows rows{blocks.data(), first_tokens.data(), valid.data(), 3};
  return checksum_families().at("weighted_sum").compute({{view, 3, 1}}, rows, {piece_width, "host"});
}

TEST_CASE("more valid tokens than a block has are all of its tokens, and fewer than none are none",
          "[kernels][checksum]") {
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed);
  CAPTURE(to_string(layout));
  const PagedKvCache cells = random_cache();
  const PagedKvCache cache(geometry_in(layout));
  convert_layout(cells.view(), cache.view());

  CHECK(sums_of(cache.view(), 17, 8) == sums_of(cache.view(), 16, 8));
  CHECK(sums_of(cache.view(), -3, 8) == std::vector<std::uint64_t>(3, 0));
}

TEST_CASE("K and V at a distance that no piece divides sum to the same value", "[kernels][checksum]") {
  const int piece_width = GENERATE(2, 4, 8);
  const std::size_t gap = GENERATE(2, 4, 6);
  CAPTURE(piece_width, gap);
  const PagedKvCache cells = random_cache();
  const std::size_t half = cells.size_bytes() / 2;
  std::vector<std::byte> memory(cells.size_bytes() + gap);
  std::byte* const value = memory.data() + half + gap;
  const PagedCacheView apart = dense_cache_view(geometry_in(CacheLayout::hnd), memory.data(), value);
  convert_layout(cells.view(), apart);

  CHECK(sums_of(apart, 11, piece_width) == sums_of(cells.view(), 11, piece_width));
}

TEST_CASE("an unknown implementation of weighted_sum is refused in every layout", "[kernels][checksum]") {
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::hnd);
  const PagedKvCache cache(geometry_in(layout));
  const std::int64_t zero = 0, one = 1;
  CHECK_THROWS_AS(
      checksum_families().at("weighted_sum").compute({{cache.view(), 0, 0}}, {&zero, &zero, &one, 1}, {8, "hots"}),
      InputError);
}

TEST_CASE("positions at the end of the integers wrap as the definition says", "[kernels][checksum]") {
  const std::vector<std::uint64_t> pieces{3, 5};
  const ChecksumLayer layer{reinterpret_cast<std::int64_t>(pieces.data()), 0, 0};
  const std::int64_t block = 0, first = std::numeric_limits<std::int64_t>::max(), valid = 2;
  LayersChecksumArguments arguments;
  arguments.pieces.shape = {1, 1, 1, 2, 1};
  arguments.pieces.strides = {2, 2, 2, 1, 1};
  arguments.pieces.piece_width = 8;
  arguments.layers = &layer;
  arguments.num_layers = 1;
  arguments.rows = {&block, &first, &valid, 1};
  for (const std::string& family : layers_checksum_families().names()) {
    std::uint64_t sum = 0;
    arguments.out = &sum;

    layers_checksum(arguments, family);

    CAPTURE(family);
    // 2 * (2^63 - 1) + 1 is 2^64 - 1, and 2 * 2^63 + 1 is 1 modulo 2^64.
    CHECK(sum == std::uint64_t{0} - 3 + 5);
  }
}

}  // namespace
}  // namespace kvarium::test
