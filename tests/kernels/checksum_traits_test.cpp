#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>

#include "core/random.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/summed_cache.hpp"

namespace kvarium::test {
namespace {

using Values = std::vector<std::uint64_t>;

ChecksumTraits traits_of(const std::string& family) { return checksum_families().at(family).traits(); }

Values sums_of(const Values& left, const Values& right) {
  Values sums(left.size());
  std::transform(left.begin(), left.end(), right.begin(), sums.begin(), std::plus<>());
  return sums;
}

TEST_CASE("a checksum fills its declared width and no more", "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const int width = traits_of(family).width_bits;
  REQUIRE((width > 0 && width <= 64));
  std::uint64_t seen = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::uint64_t value : SummedCache(CacheLayout::hnd, seed).values(family)) seen |= value;
  }
  // 32 random values leave a bit 0 in all of them once in four thousand million times.
  CHECK(seen == (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1));
}

TEST_CASE("a checksum that is declared sensitive to order sees exchanged cells, any other does not",
          "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const CellByte here{0, 1, 2, 0, 0};
  const auto [what, there] =
      GENERATE(std::pair{"token", CellByte{0, 1, 3, 0, 0}}, std::pair{"distant token", CellByte{0, 1, 11, 0, 0}},
               std::pair{"head", CellByte{0, 1, 2, 1, 0}}, std::pair{"layer", CellByte{1, 1, 2, 0, 0}});
  // Under seed 1 two of these cells have equal sums of bytes, which Adler-32 does not tell apart.
  SummedCache cache(CacheLayout::hnd, 2);
  const Values before = cache.values(family);

  cache.exchange_cells(here, there);

  CAPTURE(family, what);
  CHECK((cache.values(family) != before) == traits_of(family).order_sensitive);
}

TEST_CASE("a checksum that is declared sensitive to order sees exchanged blocks in the sum over a request",
          "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const ChecksumTraits traits = traits_of(family);
  if (!traits.additive) SKIP("blocks have no sum");
  SummedCache cache(CacheLayout::hnd);
  const auto total = [&](const Values& values) { return values[0] + values[1] + values[2] + values[3]; };
  const std::uint64_t before = total(cache.values(family));

  for (std::int64_t token = 0; token < SummedCache::block_size; ++token) {
    for (std::int64_t layer = 0; layer < 2; ++layer) {
      for (std::int64_t head = 0; head < 2; ++head) {
        cache.exchange_cells({layer, 1, token, head, 0}, {layer, 2, token, head, 0});
      }
    }
  }

  CAPTURE(family);
  CHECK((total(cache.values(family)) != before) == traits.order_sensitive);
}

TEST_CASE("a checksum adds up over layers and heads exactly if it is declared additive",
          "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const SummedCache cache(CacheLayout::hnd);
  const std::vector<CacheLayer> layers = cache.layers();
  const Values whole = cache.values(family);

  const Values over_layers =
      sums_of(SummedCache::values(family, {layers[0]}), SummedCache::values(family, {layers[1]}));
  const Values over_heads =
      sums_of(SummedCache::values(family, cache.layers(0, 1)), SummedCache::values(family, cache.layers(1, 2)));

  CAPTURE(family);
  CHECK((over_layers == whole) == traits_of(family).additive);
  CHECK((over_heads == whole) == traits_of(family).additive);
}

TEST_CASE("a checksum gives one value in every layout exactly if it is declared independent of layout",
          "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const int piece_width = GENERATE(1, 2, 4, 8);
  const ChecksumParameters parameters{piece_width, "host"};
  const Values expected = SummedCache(CacheLayout::packed).values(family, parameters);

  const bool is_equal = std::all_of(all_layouts.begin(), all_layouts.end(), [&](CacheLayout layout) {
    return SummedCache(layout).values(family, parameters) == expected;
  });

  CAPTURE(family, piece_width);
  CHECK(is_equal == traits_of(family).layout_independent);
}

TEST_CASE("bytes past the valid tokens matter exactly if a checksum is declared not to mask the tail",
          "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  SummedCache cache(layout);
  const Values before = cache.values(family);

  for (std::int64_t token = 12; token < SummedCache::block_size; ++token) {
    for (std::int64_t byte = 0; byte < SummedCache::cell_bytes; ++byte)
      cache.at({1, 2, token, 1, byte}) ^= std::byte{0xFF};
  }

  CAPTURE(family, to_string(layout));
  CHECK((cache.values(family) == before) == traits_of(family).masks_tail);
}

TEST_CASE("a flip of any bit of a valid cell changes the value of its block and no other",
          "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  SummedCache cache(layout);
  const Values before = cache.values(family);
  // Steps of 7 bits reach each bit of a byte and each byte of a piece.
  for (std::int64_t bit = 0; bit < 8 * SummedCache::cell_bytes; bit += 7) {
    const CellByte place{bit % 2, 2, bit % 12, bit / 2 % 2, bit / 8};
    const std::byte flip{static_cast<unsigned char>(1 << bit % 8)};
    cache.at(place) ^= flip;
    const Values after = cache.values(family);
    cache.at(place) ^= flip;
    CAPTURE(family, to_string(layout), bit);
    REQUIRE(after[2] != before[2]);
    REQUIRE(Values{after[0], after[1], after[3]} == Values{before[0], before[1], before[3]});
  }
}

/// Puts a cache into the state before a fault of a class, or after it.
using FaultOfClass = void (*)(SummedCache&, std::uint64_t trial, bool is_after);

void flip_top_bits_of_two_pieces(SummedCache& cache, std::uint64_t trial, bool is_after) {
  if (!is_after) return;
  CounterRandom random({1, trial}, 0);
  const auto piece = static_cast<std::int64_t>(random.below(15));
  cache.at({0, 1, static_cast<std::int64_t>(random.below(12)), 0, 8 * piece + 7}) ^= std::byte{0x80};
  cache.at({1, 1, static_cast<std::int64_t>(random.below(12)), 1, 8 * piece + 15}) ^= std::byte{0x80};
}

/// Four equally spaced pieces change by +16, -16, -16 and +16.
void change_by_second_difference(SummedCache& cache, std::uint64_t trial, bool is_after) {
  CounterRandom random({2, trial}, 0);
  const auto token = static_cast<std::int64_t>(random.below(12));
  const auto spacing = static_cast<std::int64_t>(1 + random.below(4));
  const auto low = static_cast<int>(random.below(128));
  for (std::int64_t i = 0; i < 4; ++i) {
    const bool is_outer = i == 0 || i == 3;
    cache.at({0, 1, token, 1, 8 * spacing * i}) = static_cast<std::byte>(is_outer == is_after ? low + 16 : low);
  }
}

void invert_a_token_of_the_tail(SummedCache& cache, std::uint64_t trial, bool is_after) {
  if (!is_after) return;
  for (std::int64_t byte = 0; byte < SummedCache::cell_bytes; ++byte) {
    cache.at({0, 1, 12 + static_cast<std::int64_t>(trial % 4), 0, byte}) ^= std::byte{0xFF};
  }
}

const std::map<std::string, FaultOfClass> faults_of_classes{
    {"same-lane flips of two pieces in the top bits (8-byte pieces)", flip_top_bits_of_two_pieces},
    {"second differences: four equally spaced changes +d -d -d +d", change_by_second_difference},
    {"bytes past the valid tokens", invert_a_token_of_the_tail}};

TEST_CASE("a checksum misses every fault of each class that it is declared blind to", "[kernels][checksum][traits]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  for (const std::string& name : traits_of(family).blind_classes) {
    CAPTURE(family, name);
    REQUIRE(faults_of_classes.contains(name));
    for (std::uint64_t trial = 0; trial < 32; ++trial) {
      SummedCache before(CacheLayout::nhd, trial), after(CacheLayout::nhd, trial);
      faults_of_classes.at(name)(before, trial, false);
      faults_of_classes.at(name)(after, trial, true);
      REQUIRE(!before.has_equal_cells(after));
      REQUIRE(before.values(family) == after.values(family));
    }
  }
}

TEST_CASE("weighted_sum over pieces of 4 bytes sees flips of two top bits", "[kernels][checksum][traits]") {
  for (std::uint64_t trial = 0; trial < 32; ++trial) {
    SummedCache cache(CacheLayout::nhd, trial);
    const Values before = cache.values("weighted_sum", {4, "host"});
    flip_top_bits_of_two_pieces(cache, trial, true);
    CHECK(cache.values("weighted_sum", {4, "host"}) != before);
  }
}

}  // namespace
}  // namespace kvarium::test
