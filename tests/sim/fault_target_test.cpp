#include "sim/faults/fault_target.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr CacheGeometry geometry{CacheLayout::hnd, ElementType::float32, 10, 8, 1, 8};

BlockTableView table_of(const std::vector<std::vector<std::int32_t>>& rows) {
  BlockTableView table("table", rows.size(), rows.front().size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) table(row, column) = rows[row][column];
  }
  return table;
}

/// One layer of contents nobody reads in these tests.
struct OneLayer {
  PagedKvCache cache{geometry};
  std::array<PagedCacheView, 1> views{cache.view()};

  FaultTarget target(const std::vector<std::vector<std::int32_t>>& rows, const std::vector<std::int32_t>& seq_lens,
                     std::int64_t window = 0) const {
    return FaultTarget({views, table_of(rows), seq_lens.data(), window, nullptr});
  }
};

TEST_CASE("tokens of shared blocks count once and are known by their lowest sequence", "[sim][faults]") {
  const OneLayer layer;

  const FaultTarget target = layer.target({{4, 2}, {4, 7}}, {12, 10});

  CHECK(target.num_tokens() == 8 + 4 + 2);
  REQUIRE(target.spans().size() == 3);
  CHECK(target.spans()[1].physical_block == 4);
  CHECK(target.spans()[1].sequence == 0);
  CHECK(target.spans()[1].logical_block == 0);
  CHECK(target.spans()[1].num_readers == 2);
  CHECK(target.spans()[0].num_readers == 1);
}

TEST_CASE("attended tokens are counted through in order of block and token", "[sim][faults]") {
  const OneLayer layer;
  const FaultTarget target = layer.target({{4, 2}}, {10});

  CHECK(target.token(0).span.physical_block == 2);
  CHECK(target.token(1).token == 1);
  CHECK(target.token(2).span.physical_block == 4);
  CHECK(target.token(2).token == 0);
  CHECK(target.token(9).token == 7);
}

TEST_CASE("a window attends its last tokens and nothing else", "[sim][faults]") {
  const OneLayer layer;

  // The entry before the window is garbage, as it may be.
  const FaultTarget target = layer.target({{-1, 2, 3}}, {20}, 5);

  CHECK(target.num_tokens() == 5);
  CHECK_FALSE(target.is_attended(2, 6));
  CHECK(target.is_attended(2, 7));
  CHECK(target.is_attended(3, 0));
  CHECK(target.is_attended(3, 3));
  CHECK_FALSE(target.is_attended(3, 4));
  CHECK_FALSE(target.is_attended(0, 0));
}

TEST_CASE("parts of one block that windows of two sequences leave apart stay apart", "[sim][faults]") {
  const OneLayer layer;

  const FaultTarget target = layer.target({{5}, {5}}, {2, 8}, 2);

  CHECK(target.num_tokens() == 4);
  CHECK(target.spans().size() == 2);
  CHECK(target.is_attended(5, 1));
  CHECK_FALSE(target.is_attended(5, 3));
  CHECK(target.is_attended(5, 7));
}

TEST_CASE("attended block ids and lengths out of range are refused by place", "[sim][faults]") {
  const OneLayer layer;

  CHECK_THROWS_WITH(layer.target({{0, 10}}, {9}), "block_tables[0][1] is 10; use 0 to 9 (num_blocks - 1)");
  CHECK_THROWS_WITH(layer.target({{0, -1}}, {9}), "block_tables[0][1] is -1; use 0 to 9 (num_blocks - 1)");
  CHECK_NOTHROW(layer.target({{0, -1}}, {8}));
  CHECK_THROWS_WITH(layer.target({{0, 1}}, {17}),
                    "seq_lens[0] is 17; use 0 to 16 (max_num_blocks_per_sequence * block_size)");
  CHECK_THROWS_AS(layer.target({{0, 1}}, {-1}), InputError);
}

TEST_CASE("no layers and layers of unlike geometries are refused", "[sim][faults]") {
  const OneLayer layer;
  CacheGeometry other = geometry;
  other.layout = CacheLayout::nhd;
  const PagedKvCache unlike(other);
  const std::array<PagedCacheView, 2> views{layer.cache.view(), unlike.view()};
  const std::int32_t length = 1;

  CHECK_THROWS_AS(FaultTarget({{}, table_of({{0}}), &length, 0, nullptr}), InputError);
  CHECK_THROWS_AS(FaultTarget({views, table_of({{0}}), &length, 0, nullptr}), InputError);
}

}  // namespace
}  // namespace kvarium
