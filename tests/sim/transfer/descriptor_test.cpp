#include "sim/transfer/descriptor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "sim/transfer/engine.hpp"

using namespace kvarium;

namespace {

constexpr std::int64_t num_blocks = 8;
const std::vector<BlockId> from_blocks{BlockId{5}, BlockId{1}, BlockId{6}};
const std::vector<BlockId> to_blocks{BlockId{0}, BlockId{7}, BlockId{3}};

TransferShape two_layers() {
  TransferShape shape;
  shape.head_size = 16;
  shape.num_kv_heads = 2;
  shape.num_layers = 2;
  return shape;
}

EngineShape engine(CacheLayout layout, int tensor_ranks = 1) {
  EngineShape shape;
  shape.layout = layout;
  shape.tensor_ranks = tensor_ranks;
  return shape;
}

TransferPlan plan_between(const EngineShape& from, const EngineShape& to) {
  const CacheAddressing source = cache_addressing(from, two_layers(), num_blocks);
  const CacheAddressing destination = cache_addressing(to, two_layers(), num_blocks);
  return plan_transfer({source, from_blocks}, {destination, to_blocks});
}

}  // namespace

TEST_CASE("equal caches need one descriptor for K and V of each layer and block", "[sim][transfer]") {
  const CacheLayout layout = GENERATE(CacheLayout::nhd, CacheLayout::hnd, CacheLayout::split_x);

  const TransferPlan plan = plan_between(engine(layout), engine(layout));

  CHECK(plan.descriptors.size() == 2 * 2 * 3);
  for (const Descriptor& descriptor : plan.descriptors) CHECK(descriptor.bytes == 16 * 2 * 16 * 2);
  CHECK(plan.slots.size() == 3 * 16);
  CHECK(plan.slots[17].from == 1 * 16 + 1);
  CHECK(plan.slots[17].to == 7 * 16 + 1);
}

TEST_CASE("each rank gets a descriptor of its own", "[sim][transfer]") {
  const TransferPlan plan = plan_between(engine(CacheLayout::hnd), engine(CacheLayout::hnd, 2));

  CHECK(plan.descriptors.size() == 2 * 2 * 3 * 2);
  for (const Descriptor& descriptor : plan.descriptors) CHECK(descriptor.to.shard == descriptor.head);
}

TEST_CASE("another order of tokens and heads leaves rows of one token and head", "[sim][transfer]") {
  const TransferPlan plan = plan_between(engine(CacheLayout::nhd), engine(CacheLayout::hnd));

  CHECK(plan.descriptors.size() == 2 * 2 * 3 * 16 * 2);
  CHECK(plan.descriptors.front().bytes == 16 * 2);
}

TEST_CASE("a cell that was written reads back, and no other one changed", "[sim][transfer]") {
  const CacheLayout layout = GENERATE(CacheLayout::nhd, CacheLayout::hnd, CacheLayout::split_x, CacheLayout::packed);
  Engine written(engine(layout, 2), two_layers(), num_blocks);
  std::vector<std::byte> cell(16 * 2 * 2), found(cell.size());
  for (std::size_t byte = 0; byte < cell.size(); ++byte) cell[byte] = static_cast<std::byte>(byte + 1);

  written.write_cell({1, 1, 4, 9}, cell.data());

  std::int64_t changed = 0;
  for (std::int64_t block = 0; block < num_blocks; ++block) {
    for (std::int64_t token = 0; token < 16; ++token) {
      written.read_cell({1, 1, block, token}, found.data());
      changed += found[0] != std::byte{0};
    }
  }
  written.read_cell({1, 1, 4, 9}, found.data());
  CHECK(found == cell);
  CHECK(changed == 1);
}
