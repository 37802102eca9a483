#include "sim/batch.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <set>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr RandomKey key{5, 6};

std::vector<std::int32_t> row(const Batch& batch, std::int64_t sequence) {
  std::vector<std::int32_t> blocks;
  for (std::size_t i = 0; i < batch.block_tables.extent(1); ++i) blocks.push_back(batch.block_tables(sequence, i));
  return blocks;
}

TEST_CASE("a batch of equal lengths is complete at every edge of block and length", "[sim][batch]") {
  const auto length = GENERATE(std::int64_t{0}, std::int64_t{1}, std::int64_t{15}, std::int64_t{16}, std::int64_t{17});
  const auto prefix = GENERATE(std::int64_t{0}, std::int64_t{1}, std::int64_t{16}, std::int64_t{40});
  CAPTURE(length, prefix);
  const BatchShape shape{.num_sequences = 3, .lengths = EqualLengths{length}, .shared_prefix_length = prefix};

  const Batch batch = build_batch(shape, key);

  CHECK(batch.is_complete());
  CHECK(batch.num_tokens() == 3 * length);
  CHECK(batch.num_blocks == batch.num_blocks_used);
}

TEST_CASE("whole blocks of a shared prefix are stored once and written once", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 3, .lengths = EqualLengths{40}, .shared_prefix_length = 20, .block_size = 8};

  const Batch batch = build_batch(shape, key);

  // 20 tokens fill two blocks; each sequence has three of its own.
  CHECK(batch.num_blocks_used == 2 + 3 * 3);
  for (std::int64_t sequence : {1, 2}) {
    CHECK(row(batch, sequence)[0] == row(batch, 0)[0]);
    CHECK(row(batch, sequence)[1] == row(batch, 0)[1]);
    CHECK(row(batch, sequence)[2] != row(batch, 0)[2]);
  }
  const auto written = std::ranges::count_if(batch.slot_mapping, [](std::int64_t slot) { return slot >= 0; });
  CHECK(written == 40 + 2 * 24);
}

TEST_CASE("sequences of a batch share prefix tokens and differ after them", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 2, .lengths = EqualLengths{64}, .shared_prefix_length = 24};

  const Batch batch = build_batch(shape, key);

  const auto first = batch.token_ids.begin();
  const auto second = first + 64;
  CHECK(std::equal(first, first + 24, second));
  CHECK_FALSE(std::equal(first + 24, first + 64, second + 24));
  CHECK(std::ranges::all_of(batch.token_ids, [](std::int32_t id) { return id >= 0 && id < 32000; }));
}

TEST_CASE("block table entries past a sequence's last block are invalid", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 3, .lengths = ListedLengths{{17, 0, 40}}, .block_size = 8};

  const Batch batch = build_batch(shape, key);

  CHECK(row(batch, 0)[2] >= 0);
  CHECK(row(batch, 0)[3] == -1);
  CHECK(row(batch, 1) == std::vector<std::int32_t>(5, -1));
  CHECK(row(batch, 2)[4] >= 0);
}

TEST_CASE("physical order is ascending without fragmentation and random with it", "[sim][batch]") {
  BatchShape shape{.num_sequences = 4, .lengths = EqualLengths{512}, .fragmentation = 0.0};
  const Batch ordered = build_batch(shape, key);
  shape.fragmentation = 1.0;
  const Batch shuffled = build_batch(shape, key);

  std::vector<std::int32_t> physical(ordered.block_tables.data(),
                                     ordered.block_tables.data() + ordered.block_tables.size());
  CHECK(std::ranges::is_sorted(physical));
  physical.assign(shuffled.block_tables.data(), shuffled.block_tables.data() + shuffled.block_tables.size());
  CHECK_FALSE(std::ranges::is_sorted(physical));
  CHECK(std::set(physical.begin(), physical.end()).size() == 4 * 32);
}

TEST_CASE("a batch is a function of its key and shape", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 5, .lengths = LogUniformLengths{10, 300}, .shared_prefix_length = 32};

  const Batch one = build_batch(shape, key);
  const Batch same = build_batch(shape, key);
  const Batch other = build_batch(shape, {5, 7});

  CHECK(one.seq_lens == same.seq_lens);
  CHECK(one.token_ids == same.token_ids);
  CHECK(one.slot_mapping == same.slot_mapping);
  CHECK(one.slot_mapping != other.slot_mapping);
}

TEST_CASE("a pool larger than the batch needs leaves blocks unused", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 2, .lengths = EqualLengths{20}, .num_blocks = 100};

  const Batch batch = build_batch(shape, key);

  CHECK(batch.num_blocks == 100);
  CHECK(batch.num_blocks_used == 4);
  CHECK(batch.is_complete());
}

TEST_CASE("a pool too small for the batch is refused with needed and free blocks", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 2, .lengths = EqualLengths{33}, .num_blocks = 5};

  CHECK_THROWS_WITH(build_batch(shape, key),
                    "out of KV blocks: 6 needed, 5 free; raise num_blocks, or use fewer or shorter sequences");
}

TEST_CASE("damage to any part of a batch makes it incomplete", "[sim][batch]") {
  const BatchShape shape{.num_sequences = 2, .lengths = EqualLengths{20}, .shared_prefix_length = 16};
  Batch batch = build_batch(shape, key);
  REQUIRE(batch.is_complete());

  SECTION("a block outside the pool") { batch.block_tables(0, 0) = static_cast<std::int32_t>(batch.num_blocks); }
  SECTION("an entry that is not valid") { batch.block_tables(1, 1) = -1; }
  SECTION("a slot nobody writes") { batch.slot_mapping[0] = -1; }
  SECTION("a slot written twice") { batch.slot_mapping[20] = batch.slot_mapping[0]; }
  SECTION("a token written where the table does not look") { std::swap(batch.slot_mapping[1], batch.slot_mapping[2]); }
  SECTION("a missing token id") { batch.token_ids.pop_back(); }
  SECTION("a length its tokens do not have") { ++batch.seq_lens[1]; }

  CHECK_FALSE(batch.is_complete());
}

TEST_CASE("shapes that are no batch are refused", "[sim][batch]") {
  CHECK_THROWS_AS(build_batch({.block_size = 0}, key), InputError);
  CHECK_THROWS_AS(build_batch({.num_sequences = -1}, key), InputError);
  CHECK_THROWS_AS(build_batch({.shared_prefix_length = -1}, key), InputError);
  CHECK_THROWS_AS(build_batch({.fragmentation = 1.5}, key), InputError);
  CHECK_THROWS_AS(build_batch({.lengths = EqualLengths{-1}}, key), InputError);
  CHECK_THROWS_AS(build_batch({.vocabulary_size = 0}, key), InputError);
}

}  // namespace
}  // namespace kvarium
