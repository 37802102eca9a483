#include "kernels/checksums/syndrome.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cstring>

#include "core/random.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/summed_cache.hpp"

namespace kvarium::test {
namespace {

constexpr BlockRow row{1, 16, 12, nullptr};
using Repairs = std::vector<PieceRepair>;

std::vector<std::uint64_t> value_of(const SummedCache& cache) {
  return checksum_families()
      .at("syndrome")
      .compute(cache.layers(), {&row.block, &row.first_token, &row.valid_tokens, 1}, {});
}

std::optional<Repairs> repair(const SummedCache& cache, const std::vector<std::uint64_t>& recorded) {
  return checksum_families().at("syndrome").repair(cache.layers(), row, recorded, value_of(cache), {});
}

std::uint32_t piece_at(SummedCache& cache, const PieceRepair& place) {
  std::uint32_t piece = 0;
  for (std::int64_t byte = 0; byte < 4; ++byte) {
    const CellByte at{static_cast<std::int64_t>(place.layer), row.block, place.token, place.head,
                      4 * place.piece + byte};
    piece |= std::to_integer<std::uint32_t>(cache.at(at)) << (8 * byte);
  }
  return piece;
}

void set_piece(SummedCache& cache, const PieceRepair& place, std::uint32_t value) {
  for (std::int64_t byte = 0; byte < 4; ++byte) {
    cache.at({static_cast<std::int64_t>(place.layer), row.block, place.token, place.head, 4 * place.piece + byte}) =
        static_cast<std::byte>(value >> (8 * byte));
  }
}

PieceRepair random_place(CounterRandom& random) {
  const auto draw = [&](std::uint64_t bound) { return static_cast<std::int64_t>(random.below(bound)); };
  return {random.below(2), draw(2), draw(12), draw(32), 0};
}

TEST_CASE("a syndrome finds a single damaged piece and its value from before, in every layout",
          "[kernels][checksum][syndrome]") {
  SummedCache cache(GENERATE(from_range(all_layouts)));
  const auto recorded = value_of(cache);
  CounterRandom random({1, 1}, 0);
  for (int trial = 0; trial < 200; ++trial) {
    PieceRepair place = random_place(random);
    place.value = piece_at(cache, place);
    auto damaged = static_cast<std::uint32_t>(random());
    if (damaged == place.value) damaged = ~damaged;
    set_piece(cache, place, damaged);

    REQUIRE(repair(cache, recorded) == Repairs{place});

    set_piece(cache, place, place.value);
  }
  CHECK(repair(cache, recorded) == Repairs{});
}

TEST_CASE("a syndrome repairs one piece in each of several layers", "[kernels][checksum][syndrome]") {
  SummedCache cache(CacheLayout::hnd);
  const auto recorded = value_of(cache);
  PieceRepair first{0, 1, 3, 31, 0}, second{1, 0, 0, 0, 0};
  first.value = piece_at(cache, first);
  second.value = piece_at(cache, second);
  set_piece(cache, first, first.value ^ 0x80000000U);
  set_piece(cache, second, first.value + 1);
  CHECK(repair(cache, recorded) == Repairs{first, second});
}

TEST_CASE("a syndrome repairs nothing where two pieces of a layer are damaged", "[kernels][checksum][syndrome]") {
  CounterRandom random({2, 2}, 0);
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    SummedCache cache(CacheLayout::hnd, trial % 8);
    const auto recorded = value_of(cache);
    PieceRepair first = random_place(random), second = random_place(random);
    second.layer = first.layer;
    if (first == second) continue;
    const auto flip = std::uint32_t{1} << random.below(32);
    set_piece(cache, first, piece_at(cache, first) ^ flip);
    set_piece(cache, second, piece_at(cache, second) ^ flip);
    CAPTURE(trial);
    REQUIRE(!repair(cache, recorded));
  }
}

TEST_CASE("a syndrome is not deceived by equal changes two pieces apart, which name the piece between them",
          "[kernels][checksum][syndrome]") {
  SummedCache cache(CacheLayout::nhd);
  const std::uint32_t change = GENERATE(1U, 0x10000U, 0x80000000U);
  PieceRepair left{0, 1, 5, 10, 0}, middle{0, 1, 5, 11, 0}, right{0, 1, 5, 12, 0};
  for (const PieceRepair& place : {left, right}) set_piece(cache, place, 0x01234567U);
  set_piece(cache, middle, 0xFFFFFFFFU);
  const auto recorded = value_of(cache);
  set_piece(cache, left, 0x01234567U + change);
  set_piece(cache, right, 0x01234567U + change);
  // The sums alone say that the piece between grew by twice the change.
  const auto now = value_of(cache);
  const LayerSyndrome before = LayerSyndrome::from_words(recorded), after = LayerSyndrome::from_words(now);
  const std::int64_t number = piece_number(cache.layers()[0].cache.geometry, row, 1, 5, 11);
  REQUIRE(after.numbered_sum - before.numbered_sum == number * (after.sum - before.sum));
  CHECK(!repair(cache, recorded));
}

TEST_CASE("a syndrome repairs nothing where two pieces or two cells are exchanged", "[kernels][checksum][syndrome]") {
  SummedCache cache(CacheLayout::split_x);
  const auto recorded = value_of(cache);
  const PieceRepair left{1, 0, 2, 7, 0}, right{1, 1, 9, 30, 0};
  const std::uint32_t kept = piece_at(cache, left);
  set_piece(cache, left, piece_at(cache, right));
  set_piece(cache, right, kept);
  CHECK(!repair(cache, recorded));
  set_piece(cache, right, piece_at(cache, left));
  set_piece(cache, left, kept);
  REQUIRE(repair(cache, recorded) == Repairs{});
  cache.exchange_cells({0, 1, 4, 0, 0}, {0, 1, 5, 0, 0});
  CHECK(!repair(cache, recorded));
}

TEST_CASE("a damaged record never causes a repair, nor one beside a damaged piece", "[kernels][checksum][syndrome]") {
  SummedCache cache(CacheLayout::packed);
  const auto recorded = value_of(cache);
  const bool has_damaged_piece = GENERATE(false, true);
  const PieceRepair place{0, 1, 7, 3, 0};
  if (has_damaged_piece) set_piece(cache, place, piece_at(cache, place) ^ 0x100);
  for (std::size_t word = 0; word < LayerSyndrome::num_words; ++word) {
    for (int bit = 0; bit < 64; ++bit) {
      auto damaged = recorded;
      damaged[word] ^= std::uint64_t{1} << bit;
      CAPTURE(has_damaged_piece, word, bit);
      REQUIRE(!repair(cache, damaged));
    }
  }
}

TEST_CASE("sums of a syndrome do not wrap where 64 bits would", "[kernels][checksum][syndrome]") {
  // 16 heads of 256 tokens of 512 pieces, all of them ones: the sums by their closed forms.
  const CacheGeometry geometry{CacheLayout::nhd, ElementType::float32, 1, 256, 16, 256};
  PagedKvCache cache(geometry);
  std::memset(cache.storage().data(), 0xFF, cache.size_bytes());
  const std::int64_t block = 0, first = 0, valid = 256;
  const auto words =
      checksum_families().at("syndrome").compute({{cache.view(), 3, 9}}, {&block, &first, &valid, 1}, {});
  const LayerSyndrome syndrome = LayerSyndrome::from_words(words);
  const WideInteger pieces = WideInteger{16} * 256 * 512, largest = 0xFFFFFFFFU;
  CHECK((syndrome.sum == pieces * largest));
  CHECK((syndrome.numbered_sum == pieces * (pieces + 1) / 2 * largest));
  CHECK(words[3] != 0);
}

}  // namespace
}  // namespace kvarium::test
