#include "sim/block_pool.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <set>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr BlockHash first_hash{11};
constexpr BlockHash second_hash{22};

std::vector<std::int32_t> values(const std::vector<BlockId>& blocks) {
  std::vector<std::int32_t> numbers;
  for (const BlockId block : blocks) numbers.push_back(block.value());
  return numbers;
}

BlockId allocate_cached(BlockPool& pool, BlockHash hash) {
  const BlockId block = pool.allocate(1).front();
  pool.remember(block, hash);
  pool.release(block);
  return block;
}

TEST_CASE("a new pool hands out its blocks in ascending order", "[sim][block_pool]") {
  BlockPool pool(4);

  CHECK(values(pool.allocate(3)) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(pool.num_in_use() == 3);
  CHECK(pool.num_free() == 1);
}

TEST_CASE("an allocation that does not fit names needed and free blocks and takes none", "[sim][block_pool]") {
  BlockPool pool(4);
  pool.allocate(3);

  CHECK_THROWS_WITH(pool.allocate(2),
                    "out of KV blocks: 2 needed, 1 free of 4; raise num_blocks, or use fewer or shorter sequences");
  CHECK(pool.num_free() == 1);
}

TEST_CASE("a block stays in use until its last holder releases it", "[sim][block_pool]") {
  BlockPool pool(2);
  const BlockId block = pool.allocate(1).front();
  pool.add_reference(block);

  pool.release(block);
  CHECK(pool.num_in_use() == 1);
  pool.release(block);
  CHECK(pool.num_in_use() == 0);
}

TEST_CASE("a block must be copied before writing exactly while several hold it", "[sim][block_pool]") {
  BlockPool pool(1);
  const BlockId block = pool.allocate(1).front();
  CHECK_FALSE(pool.is_shared(block));

  pool.add_reference(block);
  CHECK(pool.is_shared(block));
  pool.release(block);
  CHECK_FALSE(pool.is_shared(block));
}

TEST_CASE("releasing or sharing a free block is refused", "[sim][block_pool]") {
  BlockPool pool(1);

  CHECK_THROWS_AS(pool.release(BlockId{0}), InputError);
  CHECK_THROWS_AS(pool.add_reference(BlockId{0}), InputError);
  CHECK_THROWS_AS(pool.release(BlockId{1}), InputError);
  CHECK_THROWS_AS(pool.release(BlockId{}), InputError);
}

TEST_CASE("a block is found by its contents while in use and after its release", "[sim][block_pool]") {
  BlockPool pool(3);
  const BlockId block = pool.allocate(1).front();
  pool.remember(block, first_hash);

  CHECK(pool.share(first_hash) == block);
  CHECK(pool.reference_count(block) == 2);
  pool.release(block);
  pool.release(block);
  CHECK(pool.num_cached() == 1);
  CHECK(pool.share(first_hash) == block);
  CHECK(pool.num_cached() == 0);
  CHECK_FALSE(pool.share(second_hash).has_value());
}

TEST_CASE("empty blocks are taken before cached contents are given up", "[sim][block_pool]") {
  BlockPool pool(2);
  const BlockId cached = allocate_cached(pool, first_hash);

  CHECK(pool.allocate(1).front() != cached);
  CHECK(pool.num_evicted() == 0);
  CHECK(pool.allocate(1).front() == cached);
  CHECK(pool.num_evicted() == 1);
  CHECK_FALSE(pool.share(first_hash).has_value());
}

TEST_CASE("the least recently used cached block is evicted first", "[sim][block_pool]") {
  BlockPool pool(2);
  const std::vector<BlockId> blocks = pool.allocate(2);
  pool.remember(blocks[0], first_hash);
  pool.remember(blocks[1], second_hash);
  pool.release(blocks[0]);
  pool.release(blocks[1]);
  // A hit makes the older one the younger one.
  REQUIRE(pool.share(first_hash) == blocks[0]);
  pool.release(blocks[0]);

  CHECK(pool.allocate(1).front() == blocks[1]);
  CHECK(pool.share(first_hash) == blocks[0]);
}

TEST_CASE("equal contents in two blocks are found as the first one", "[sim][block_pool]") {
  BlockPool pool(2);
  const std::vector<BlockId> blocks = pool.allocate(2);
  pool.remember(blocks[0], first_hash);
  pool.remember(blocks[1], first_hash);

  CHECK(pool.share(first_hash) == blocks[0]);
  pool.release(blocks[1]);
  CHECK(pool.num_cached() == 0);
}

TEST_CASE("fragmentation keeps every block and makes neighbours rare", "[sim][block_pool]") {
  const auto seed = GENERATE(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3});
  CAPTURE(seed);
  constexpr std::int64_t count = 1000;
  BlockPool pool(count);
  CounterRandom random({seed, 0}, 0);

  pool.fragment(random, 1.0);
  const std::vector<std::int32_t> order = values(pool.allocate(count));

  CHECK(std::set(order.begin(), order.end()).size() == count);
  int neighbours = 0;
  for (std::size_t i = 1; i < order.size(); ++i) neighbours += order[i] == order[i - 1] + 1 ? 1 : 0;
  CHECK(neighbours < 10);
}

TEST_CASE("a fraction of fragmentation moves at most that share of blocks", "[sim][block_pool]") {
  constexpr std::int64_t count = 1000;
  BlockPool pool(count);
  CounterRandom random({7, 0}, 0);

  pool.fragment(random, 0.25);
  const std::vector<std::int32_t> order = values(pool.allocate(count));

  int moved = 0;
  for (std::size_t i = 0; i < order.size(); ++i) moved += order[i] == static_cast<std::int32_t>(i) ? 0 : 1;
  CHECK(moved <= 250);
  CHECK(moved >= 200);
}

TEST_CASE("fragmentation 0 keeps blocks in order and one outside 0 to 1 is refused", "[sim][block_pool]") {
  BlockPool pool(5);
  CounterRandom random({7, 0}, 0);

  pool.fragment(random, 0.0);
  CHECK_THROWS_AS(pool.fragment(random, -0.1), InputError);
  CHECK_THROWS_AS(pool.fragment(random, 1.1), InputError);
  CHECK(values(pool.allocate(5)) == std::vector<std::int32_t>{0, 1, 2, 3, 4});
}

TEST_CASE("a pool has no negative number of blocks and none past 32-bit ids", "[sim][block_pool]") {
  CHECK_THROWS_AS(BlockPool(-1), InputError);
  CHECK_THROWS_AS(BlockPool(std::int64_t{1} << 31), InputError);
  CHECK(BlockPool(0).num_free() == 0);
}

TEST_CASE("a block's hash depends on its tokens, their order and all blocks before", "[sim][block_hash]") {
  const std::array<std::int32_t, 2> tokens{3, 4};
  const std::array<std::int32_t, 2> swapped{4, 3};
  const BlockHash first = hash_block({}, tokens);

  CHECK(first == hash_block({}, tokens));
  const std::set<BlockHash> hashes{first, hash_block({}, swapped), hash_block(first, tokens),
                                   hash_block(hash_block({}, swapped), tokens), hash_block({}, {tokens.data(), 1})};
  CHECK(hashes.size() == 5);
}

}  // namespace
}  // namespace kvarium
