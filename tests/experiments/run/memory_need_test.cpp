#include "experiments/run/memory_need.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "experiments/run/free_memory.hpp"

using namespace kvarium;

namespace {

/// 2 sequences of 100 tokens, 3 layers of 4 KV heads, float16 cells of 2 * 64 elements.
PointConfig example_point() {
  PointConfig point;
  point.base.cache = {.head_size = 64, .num_kv_heads = 4, .query_heads_per_kv_head = 2, .num_layers = 3};
  point.base.batch.num_sequences = 2;
  point.base.batch.context_length = 100;
  return point;
}

constexpr double cache_bytes = 200.0 * 2 * 64 * 2 * 4 * 3;
/// Queries of 3 layers and one output, then slots and token ids.
constexpr double other_bytes = 2.0 * 8 * 64 * 2 * 4 + 200 * 12;

}  // namespace

TEST_CASE("a point needs its caches, queries, outputs and batch", "[experiments][run]") {
  PointConfig point = example_point();
  CHECK(needed_bytes(point) == cache_bytes + other_bytes);

  point.base.batch.shared_prefix_length = 60;
  CHECK(needed_bytes(point) == cache_bytes * 140 / 200 + other_bytes);

  point.base.workload.working_set_bytes = std::int64_t{1} << 40;
  CHECK(needed_bytes(point) == 0x1p40 + other_bytes);
}

TEST_CASE("a ragged batch needs what its own lengths take", "[experiments][run]") {
  PointConfig point = example_point();
  point.base.batch.num_sequences = 1000;
  point.base.batch.context_length = 10000;
  const double equal = needed_bytes(point);

  point.base.batch.min_context_length = 10;

  // The mean of a log-uniform length is (longest - shortest) / ln(longest / shortest): 0.145 of the longest here.
  CHECK(needed_bytes(point) > 0.12 * equal);
  CHECK(needed_bytes(point) < 0.17 * equal);
}

TEST_CASE("a working set on a GPU takes no memory of the host", "[experiments][run]") {
  PointConfig point = example_point();
  point.device = Device::cuda;
  point.base.workload.working_set_bytes = std::int64_t{1} << 40;
  CHECK(needed_bytes(point) == cache_bytes + other_bytes);
}

TEST_CASE("the largest point of all is counted without overflow", "[experiments][run]") {
  PointConfig point = example_point();
  point.base.cache.num_kv_heads = point.base.cache.num_layers = 65536;
  point.base.cache.head_size = 256;
  point.base.batch.num_sequences = 1048576;
  point.base.batch.context_length = 2147483647;

  CHECK(needed_bytes(point) > 1e27);
  CHECK(memory_problem(point, std::numeric_limits<std::int64_t>::max()).has_value());
}

TEST_CASE("a point is refused exactly when it needs more than is free", "[experiments][run]") {
  const PointConfig point = example_point();
  const auto needed = static_cast<std::int64_t>(needed_bytes(point));

  CHECK_FALSE(memory_problem(point, needed).has_value());
  CHECK_FALSE(memory_problem(point, std::nullopt).has_value());
  CHECK(memory_problem(point, needed - 1).value().starts_with("out of memory: the point needs 0.000"));
}

TEST_CASE("this machine says how much memory is free", "[experiments][run]") {
  REQUIRE(free_memory_bytes().has_value());
  CHECK(*free_memory_bytes() > 1 << 20);
}
