#include "sim/faults/block_permutation.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/check.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;
using Bytes = std::vector<std::uint8_t>;

constexpr CacheGeometry geometry{CacheLayout::hnd, ElementType::float16, 1, 8, 2, 16};
constexpr std::size_t row_bytes = 32;

CounterRandom some_random(std::uint64_t trial = 0) { return random_for(RandomPurpose::fault, {41, 42}, trial); }

Bytes numbered_block() {
  Bytes cells(2 * 8 * 2 * row_bytes);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::uint8_t>(i % 251);
  return cells;
}

Bytes row(const Bytes& cells, std::size_t head, std::size_t token, std::size_t part) {
  const auto first = cells.begin() + static_cast<std::ptrdiff_t>(((head * 8 + token) * 2 + part) * row_bytes);
  return {first, first + row_bytes};
}

Bytes permuted(const Bytes& cells, BlockPermutation permutation) {
  CounterRandom random = some_random();
  return permute_block(geometry, cells, permutation, random);
}

TEST_CASE("every permutation keeps the block's bytes as a set and moves some", "[sim][faults]") {
  const auto name = GENERATE(from_range(block_permutation_names()));
  CAPTURE(name);
  Bytes cells = numbered_block();

  Bytes moved = permuted(cells, parse_block_permutation(name));

  CHECK(moved != cells);
  std::ranges::sort(moved);
  std::ranges::sort(cells);
  CHECK(moved == cells);
}

TEST_CASE("interleaved rows read as split put K and V rows of successive tokens into the first K rows",
          "[sim][faults]") {
  const Bytes cells = numbered_block();

  const Bytes moved = permuted(cells, BlockPermutation::interleaved_to_split);

  for (std::size_t head = 0; head < 2; ++head) {
    // Written K0 V0 K1 V1 ..., read as K0 K1 K2 ... V0 V1 V2 ...
    CHECK(row(moved, head, 0, 0) == row(cells, head, 0, 0));
    CHECK(row(moved, head, 1, 0) == row(cells, head, 0, 1));
    CHECK(row(moved, head, 2, 0) == row(cells, head, 1, 0));
    CHECK(row(moved, head, 0, 1) == row(cells, head, 4, 0));
    CHECK(row(moved, head, 7, 1) == row(cells, head, 7, 1));
  }
}

TEST_CASE("structs read as arrays put a token's elements one after another into the first channel", "[sim][faults]") {
  const Bytes cells = numbered_block();

  const Bytes moved = permuted(cells, BlockPermutation::structs_to_arrays);

  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t part = 0; part < 2; ++part) {
      const Bytes first_token = row(cells, head, 0, part);
      for (std::size_t token = 0; token < 8; ++token) {
        const Bytes found = row(moved, head, token, part);
        CHECK(
            std::equal(found.begin(), found.begin() + 2, first_token.begin() + static_cast<std::ptrdiff_t>(2 * token)));
      }
    }
  }
}

TEST_CASE("opposite permutations undo each other", "[sim][faults]") {
  const Bytes cells = numbered_block();

  CHECK(permuted(permuted(cells, BlockPermutation::interleaved_to_split), BlockPermutation::split_to_interleaved) ==
        cells);
  CHECK(permuted(permuted(cells, BlockPermutation::structs_to_arrays), BlockPermutation::arrays_to_structs) == cells);
}

TEST_CASE("shuffled tokens keep whole cells and the same order in every head", "[sim][faults]") {
  const Bytes cells = numbered_block();

  const Bytes moved = permuted(cells, BlockPermutation::shuffled_tokens);

  for (std::size_t token = 0; token < 8; ++token) {
    std::size_t source = 8;
    for (std::size_t candidate = 0; candidate < 8; ++candidate) {
      if (row(cells, 0, candidate, 0) == row(moved, 0, token, 0)) source = candidate;
    }
    REQUIRE(source < 8);
    CHECK(row(cells, 0, source, 1) == row(moved, 0, token, 1));
    CHECK(row(cells, 1, source, 0) == row(moved, 1, token, 0));
    CHECK(row(cells, 1, source, 1) == row(moved, 1, token, 1));
  }
}

TEST_CASE("an injected permutation keeps a full block's bytes as a set in any layout", "[sim][faults]") {
  const auto layout = GENERATE(from_range(cache_layout_names()));
  const auto name = GENERATE(from_range(block_permutation_names()));
  CAPTURE(layout, name);
  FaultyBatch batch({.layout = parse_cache_layout(layout)});
  std::vector<Bytes> before;
  for (const PagedCacheView& layer : batch.layers()) {
    for (std::int64_t block = 0; block < 20; ++block) before.push_back(read_block_cells(layer, block));
  }
  CounterRandom random = some_random(1);

  const FaultRecord record =
      inject_fault("intra_block_permutation", batch.target(), {.permutation = name}, random).record.value();

  Bytes after = read_block_cells(batch.layers()[static_cast<std::size_t>(record.layer)], record.physical_block);
  Bytes expected = before[static_cast<std::size_t>(record.layer * 20 + record.physical_block)];
  CHECK(record.detail == name);
  CHECK(after != expected);
  std::ranges::sort(after);
  std::ranges::sort(expected);
  CHECK(after == expected);
}

TEST_CASE("a block of equal bytes has nothing to permute", "[sim][faults]") {
  FaultyBatch batch({});
  for (const PagedCacheView& layer : batch.layers()) {
    std::fill_n(layer.key.data, tensor_elements(layer.geometry) * 2, std::byte{7});
    std::fill_n(layer.value.data, tensor_elements(layer.geometry) * 2, std::byte{7});
  }
  const auto name = GENERATE(from_range(block_permutation_names()));
  CounterRandom random = some_random();

  CHECK(inject_fault("intra_block_permutation", batch.target(), {.permutation = name}, random).not_applicable ==
        "no attended byte would change");
}

TEST_CASE("any permutation draws every kind", "[sim][faults]") {
  FaultyBatch batch({});
  std::vector<std::string> drawn;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    CounterRandom random = some_random(trial);
    const FaultRecord record = inject_fault("intra_block_permutation", batch.target(), {}, random).record.value();
    revert(record, batch.target());
    if (std::ranges::find(drawn, record.detail) == drawn.end()) drawn.push_back(record.detail);
  }

  CHECK(drawn.size() == block_permutation_names().size());
  CHECK_THROWS_AS(parse_block_permutation("rotated"), InputError);
}

}  // namespace
}  // namespace kvarium
