#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>

#include "core/check.hpp"
#include "core/random.hpp"
#include "kernels/checksums/fmix_digest.hpp"
#include "tests/support/checksum_cases.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/summed_cache.hpp"

namespace kvarium::test {
namespace {

using Values = std::vector<std::uint64_t>;

Values values_of(const SummedCache& cache, const ChecksumCase& item) {
  return cache.values(item.family, item.parameters);
}

/// Values of some of a cache's heads or layers; nothing where the checksum takes no such view.
Values values_of(const std::vector<CacheLayer>& layers, const ChecksumCase& item) {
  try {
    return SummedCache::values(item.family, layers, item.parameters);
  } catch (const InputError&) {
    return {};
  }
}

Values sums_of(const Values& left, const Values& right) {
  Values sums(std::min(left.size(), right.size()));
  std::transform(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(sums.size()), right.begin(), sums.begin(),
                 std::plus<>());
  return sums;
}

/// Words of block `row` among the values of four.
Values row_of(const Values& values, std::size_t row) {
  const auto words = static_cast<std::ptrdiff_t>(values.size() / 4);
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(row) * words;
  return {first, first + words};
}

TEST_CASE("a checksum fills its declared width and no more", "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const int width = item.traits().width_bits;
  CAPTURE(item);
  REQUIRE((width > 0 && width <= 64));
  std::uint64_t seen = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::uint64_t value : values_of(SummedCache(CacheLayout::hnd, seed), item)) seen |= value;
  }
  const std::uint64_t filled = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  CHECK((seen & ~filled) == 0);
  // 32 random values leave a bit 0 in all of them once in four thousand million times. Sums of narrow pieces over rows
  // as short as these stay small.
  if (item.parameters.piece_width == 8) CHECK(seen == filled);
}

TEST_CASE("a checksum sees every exchange of cells exactly if it is declared sensitive to order",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const std::vector<std::pair<CellByte, CellByte>> exchanges{{{0, 1, 2, 0, 0}, {0, 1, 3, 0, 0}},
                                                             {{0, 1, 2, 0, 0}, {0, 1, 11, 0, 0}},
                                                             {{1, 1, 2, 1, 0}, {1, 1, 3, 1, 0}},
                                                             {{0, 1, 2, 0, 0}, {0, 1, 2, 1, 0}},
                                                             {{0, 1, 2, 0, 0}, {1, 1, 2, 0, 0}}};
  // Under seed 1 two of these cells have equal sums of bytes, which Adler-32 does not tell apart.
  SummedCache cache(CacheLayout::hnd, 2);
  const Values before = values_of(cache, item);
  std::size_t seen = 0;

  for (const auto& [here, there] : exchanges) {
    cache.exchange_cells(here, there);
    seen += values_of(cache, item) != before;
    cache.exchange_cells(here, there);
  }

  CAPTURE(item, seen);
  CHECK((seen == exchanges.size()) == item.traits().order_sensitive);
}

TEST_CASE("a checksum that is declared sensitive to order sees exchanged blocks in the sum over a request",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const ChecksumTraits traits = item.traits();
  if (!traits.additive) return;  // blocks have no sum
  SummedCache cache(CacheLayout::hnd);
  const auto total = [&](const Values& values) {
    Values sum = row_of(values, 0);
    for (std::size_t row = 1; row < 4; ++row) sum = sums_of(sum, row_of(values, row));
    return sum;
  };
  const Values before = total(values_of(cache, item));

  for (std::int64_t token = 0; token < SummedCache::block_size; ++token) {
    for (std::int64_t layer = 0; layer < 2; ++layer) {
      for (std::int64_t head = 0; head < 2; ++head) {
        cache.exchange_cells({layer, 1, token, head, 0}, {layer, 2, token, head, 0});
      }
    }
  }

  CAPTURE(item);
  CHECK((total(values_of(cache, item)) != before) == traits.order_sensitive);
}

TEST_CASE("a checksum adds up over layers and heads exactly if it is declared additive",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const SummedCache cache(CacheLayout::hnd);
  const std::vector<CacheLayer> layers = cache.layers();
  const Values whole = values_of(cache, item);

  const Values over_layers = sums_of(values_of({layers[0]}, item), values_of({layers[1]}, item));
  const Values over_heads = sums_of(values_of(cache.layers(0, 1), item), values_of(cache.layers(1, 2), item));

  CAPTURE(item);
  CHECK((over_layers == whole) == item.traits().additive);
  CHECK((over_heads == whole) == item.traits().additive);
}

TEST_CASE("a checksum gives one value in every layout exactly if it is declared independent of layout",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const Values expected = values_of(SummedCache(CacheLayout::packed), item);

  const bool is_equal = std::all_of(all_layouts.begin(), all_layouts.end(), [&](CacheLayout layout) {
    return values_of(SummedCache(layout), item) == expected;
  });

  CAPTURE(item);
  CHECK(is_equal == item.traits().layout_independent);
}

TEST_CASE("bytes past the valid tokens matter exactly if a checksum is declared not to mask the tail",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  SummedCache cache(layout);
  const Values before = values_of(cache, item);

  for (std::int64_t token = 12; token < SummedCache::block_size; ++token) {
    for (std::int64_t byte = 0; byte < SummedCache::cell_bytes; ++byte)
      cache.at({1, 2, token, 1, byte}) ^= std::byte{0xFF};
  }

  CAPTURE(item, to_string(layout));
  CHECK((values_of(cache, item) == before) == item.traits().masks_tail);
}

TEST_CASE(
    "a flip of any bit of a valid cell changes the value of its block exactly if a checksum is declared to see "
    "each byte, and never that of another block",
    "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  SummedCache cache(layout);
  const Values before = values_of(cache, item);
  std::int64_t flips = 0, seen = 0;
  // Steps of 7 bits reach each bit of a byte and each byte of a piece.
  for (std::int64_t bit = 0; bit < 8 * SummedCache::cell_bytes; bit += 7, ++flips) {
    const CellByte place{bit % 2, 2, bit % 12, bit / 2 % 2, bit / 8};
    const std::byte flip{static_cast<unsigned char>(1 << bit % 8)};
    cache.at(place) ^= flip;
    const Values after = values_of(cache, item);
    cache.at(place) ^= flip;
    CAPTURE(item, to_string(layout), bit);
    seen += row_of(after, 2) != row_of(before, 2);
    for (std::size_t other : {0, 1, 3}) REQUIRE(row_of(after, other) == row_of(before, other));
  }
  CAPTURE(item, to_string(layout), seen, flips);
  CHECK((seen == flips) == item.traits().sees_each_byte);
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

/// Four equally spaced pieces of K change by +16, -16, -16 and +16.
void change_by_second_difference(SummedCache& cache, std::uint64_t trial, bool is_after) {
  CounterRandom random({2, trial}, 0);
  const auto token = static_cast<std::int64_t>(random.below(12));
  const auto spacing = static_cast<std::int64_t>(1 + random.below(2));
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

void change_between_edges(SummedCache& cache, std::uint64_t trial, bool is_after) {
  if (!is_after) return;
  CounterRandom random({3, trial}, 0);
  const auto token = static_cast<std::int64_t>(1 + random.below(11));
  cache.at({0, 1, token, 1, static_cast<std::int64_t>(random.below(128))}) ^= std::byte{0x11};
}

/// The second head lies behind the first 64 bytes of a token's row.
void change_behind_the_first_bytes(SummedCache& cache, std::uint64_t trial, bool is_after) {
  if (!is_after) return;
  CounterRandom random({4, trial}, 0);
  const auto head = static_cast<std::int64_t>(trial % 2);
  const auto byte = static_cast<std::int64_t>(random.below(48)) + (head == 0 ? 16 : 0);
  cache.at({1, 1, static_cast<std::int64_t>(random.below(12)), head, byte}) ^= std::byte{0x11};
}

void change_any_byte(SummedCache& cache, std::uint64_t trial, bool is_after) {
  if (!is_after) return;
  CounterRandom random({5, trial}, 0);
  cache.at({0, 1, static_cast<std::int64_t>(random.below(12)), 0, static_cast<std::int64_t>(random.below(128))}) ^=
      std::byte{0x11};
}

/// Of the four buffers, K and V of two layers, one is sampled.
void change_another_buffer(SummedCache& cache, std::uint64_t trial, bool is_after) {
  if (!is_after) return;
  const std::int64_t buffer = (sampled_buffers(0, 4, 1).front() + 1 + static_cast<std::int64_t>(trial % 3)) % 4;
  cache.at({buffer % 2, 1, static_cast<std::int64_t>(trial % 12), 1, buffer / 2 * 64 + 5}) ^= std::byte{0x11};
}

const std::map<std::string, FaultOfClass> faults_of_classes{
    {"same-lane flips of two pieces in the top bits (8-byte pieces)", flip_top_bits_of_two_pieces},
    {"second differences: four equally spaced changes +d -d -d +d", change_by_second_difference},
    {"bytes past the valid tokens", invert_a_token_of_the_tail},
    {"bytes between the edges of a block's buffers", change_between_edges},
    {"bytes past the first 16 of a token's row", change_behind_the_first_bytes},
    {"bytes of cells", change_any_byte},
    {"bytes of buffers that are not sampled", change_another_buffer}};

/// Whether a checksum sees any of 32 faults of a class.
bool sees_some(const ChecksumCase& item, FaultOfClass fault) {
  for (std::uint64_t trial = 0; trial < 32; ++trial) {
    SummedCache before(CacheLayout::nhd, trial), after(CacheLayout::nhd, trial);
    fault(before, trial, false);
    fault(after, trial, true);
    REQUIRE(!before.has_equal_cells(after));
    if (values_of(before, item) != values_of(after, item)) return true;
  }
  return false;
}

TEST_CASE("a checksum misses every fault of each class that it is declared blind to", "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  for (const std::string& name : item.traits().blind_classes) {
    CAPTURE(item, name);
    REQUIRE(faults_of_classes.contains(name));
    CHECK(!sees_some(item, faults_of_classes.at(name)));
  }
}

TEST_CASE("a checksum that sees each byte sees some fault of every class that it is not declared blind to",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  if (!item.traits().sees_each_byte) return;  // what it does not read it cannot see
  const std::vector<std::string> blind = item.traits().blind_classes;
  for (const auto& [name, fault] : faults_of_classes) {
    if (std::ranges::find(blind, name) != blind.end()) continue;
    CAPTURE(item, name);
    CHECK(sees_some(item, fault));
  }
}

}  // namespace
}  // namespace kvarium::test
