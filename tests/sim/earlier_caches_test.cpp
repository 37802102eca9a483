#include "sim/faults/earlier_caches.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;

TEST_CASE("earlier contents equal to the present ones store to the same bytes", "[sim][faults]") {
  const auto layout = GENERATE(from_range(cache_layout_names()));
  const auto type = GENERATE(from_range(element_type_names()));
  CAPTURE(layout, type);
  FaultyBatch batch({.layout = parse_cache_layout(layout), .element_type = parse_element_type(type)});
  const EarlierCaches same(batch.layers());
  AttendedCache attended = batch.attended();
  attended.earlier = &same;
  const FaultTarget target(attended);

  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    const FaultOutcome outcome =
        inject_fault("stale_block", target, {}, random_for(RandomPurpose::fault, {41, 42}, trial));
    CHECK(outcome.not_applicable == "no attended byte would change");
  }
}

TEST_CASE("earlier caches know nothing of layers and blocks that they do not have", "[sim][faults]") {
  const FaultyBatch batch({});
  const EarlierCaches earlier(batch.layers());
  const CacheGeometry geometry = batch.geometry();
  std::vector<float> key(static_cast<std::size_t>(geometry.block_size * geometry.num_kv_heads * geometry.head_size));
  std::vector<float> value(key.size());
  const auto layers = static_cast<std::int64_t>(batch.layers().size());

  CHECK(earlier.fill({layers - 1, geometry.num_blocks - 1}, key.data(), value.data()));
  CHECK_FALSE(earlier.fill({layers, 0}, key.data(), value.data()));
  CHECK_FALSE(earlier.fill({0, geometry.num_blocks}, key.data(), value.data()));
  CHECK_FALSE(earlier.fill({-1, 0}, key.data(), value.data()));
}

}  // namespace
}  // namespace kvarium
