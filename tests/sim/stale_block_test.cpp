#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <set>

#include "kernels/cache/cache_operations.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;

CounterRandom trial_random(std::uint64_t trial) { return random_for(RandomPurpose::fault, {31, 32}, trial); }

/// Earlier contents equal to the present ones.
class SameContent final : public EarlierContent {
 public:
  explicit SameContent(const FaultyBatch& batch) : batch_(batch) {}

  bool fill(const LayerBlock& place, float* key, float* value) const override {
    const Batch& batch = batch_.batch();
    for (std::int64_t sequence = 0; sequence < batch.size(); ++sequence) {
      for (std::int64_t logical = 0; logical < batch.num_sequence_blocks(sequence); ++logical) {
        if (batch.block_tables(sequence, logical) != place.block) continue;
        const TokenRange range{place.layer, sequence, logical * batch.block_size, batch.block_size};
        batch_.source().fill_key(range, key);
        batch_.source().fill_value(range, value);
        return true;
      }
    }
    return false;
  }

 private:
  const FaultyBatch& batch_;
};

class NoContent final : public EarlierContent {
 public:
  bool fill(const LayerBlock&, float*, float*) const override { return false; }
};

TEST_CASE("a stale block holds what write_cache would have written for the earlier request", "[sim][faults]") {
  const auto layout = GENERATE(from_range(cache_layout_names()));
  const auto type = GENERATE(from_range(element_type_names()));
  CAPTURE(layout, type);
  FaultyBatch batch({.layout = parse_cache_layout(layout), .element_type = parse_element_type(type)});
  CounterRandom random = trial_random(0);

  const FaultRecord record = inject_fault("stale_block", batch.target(), {}, random).record.value();

  const CacheGeometry geometry = batch.geometry();
  std::vector<float> key(static_cast<std::size_t>(geometry.block_size * geometry.num_kv_heads * geometry.head_size));
  std::vector<float> value(key.size());
  REQUIRE(batch.earlier().fill({record.layer, record.physical_block}, key.data(), value.data()));
  PagedKvCache expected(geometry);
  expected.key_scale = batch.layers().front().key_scale;
  expected.value_scale = batch.layers().front().value_scale;
  std::vector<std::int64_t> slots;
  for (int token = 0; token < geometry.block_size; ++token) {
    slots.push_back(record.physical_block * geometry.block_size + token);
  }
  write_cache({key.data(), value.data(), ElementType::float32, slots.data(), geometry.block_size}, expected.view());
  CHECK(read_block_cells(batch.layers()[static_cast<std::size_t>(record.layer)], record.physical_block) ==
        read_block_cells(expected.view(), record.physical_block));
}

TEST_CASE("a stale block equal to the present one is not applicable and writes nothing", "[sim][faults]") {
  FaultyBatch batch({});
  const SameContent same(batch);
  AttendedCache attended = batch.attended();
  attended.earlier = &same;
  const FaultTarget target(attended);
  const std::vector<std::byte> before = batch.bytes();

  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CounterRandom random = trial_random(trial);
    const FaultOutcome outcome = inject_fault("stale_block", target, {}, random);
    CHECK(outcome.not_applicable == "no attended byte would change");
  }
  CHECK(batch.bytes() == before);
}

TEST_CASE("a stale block without an earlier holder is not applicable and says why", "[sim][faults]") {
  FaultyBatch batch({});
  const NoContent none;
  AttendedCache attended = batch.attended();
  attended.earlier = &none;
  CounterRandom random = trial_random(0);
  CHECK(inject_fault("stale_block", FaultTarget(attended), {}, random).not_applicable ==
        "no earlier request held the block");

  attended.earlier = nullptr;
  CHECK(inject_fault("stale_block", FaultTarget(attended), {}, random).not_applicable ==
        "no earlier contents are known");
}

TEST_CASE("every attended block of every layer goes stale in some trial", "[sim][faults]") {
  FaultyBatch batch({});
  std::set<std::pair<std::int64_t, std::int64_t>> struck;

  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    CounterRandom random = trial_random(trial);
    const FaultRecord record = inject_fault("stale_block", batch.target(), {}, random).record.value();
    struck.insert({record.layer, record.physical_block});
    revert(record, batch.target());
  }

  CHECK(std::ssize(struck) == 2 * batch.batch().num_blocks_used);
}

TEST_CASE("earlier requests held every used block, each another one, and repeat no shared prefix", "[sim][faults]") {
  FaultyBatch batch({});
  const std::size_t numbers = 8 * 2 * 16;
  std::set<std::vector<float>> held;
  std::vector<float> key(numbers);
  std::vector<float> value(numbers);
  std::set<std::int32_t> used;
  for (std::size_t i = 0; i < batch.batch().block_tables.size(); ++i) {
    if (batch.batch().block_tables.data()[i] >= 0) used.insert(batch.batch().block_tables.data()[i]);
  }

  for (std::int32_t block = 0; block < batch.geometry().num_blocks; ++block) {
    const bool was_held = batch.earlier().fill({0, block}, key.data(), value.data());
    CHECK(was_held == used.contains(block));
    if (was_held) held.insert(key);
  }
  batch.source().fill_key({0, 0, 0, 8}, key.data());

  CHECK(held.size() == used.size());
  CHECK_FALSE(held.contains(key));
  CHECK_FALSE(batch.earlier().fill({0, -1}, key.data(), value.data()));
}

TEST_CASE("a stale block names the first and the last of its attended tokens", "[sim][faults]") {
  FaultyBatch batch({.sliding_window = 11});

  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    CounterRandom random = trial_random(trial);
    const FaultRecord record = inject_fault("stale_block", batch.target(), {}, random).record.value();
    const std::int64_t length = batch.batch().seq_lens[static_cast<std::size_t>(record.sequence)];
    const std::int64_t start = record.logical_block * 8;
    CAPTURE(record.sequence, record.logical_block, length);

    CHECK(record.first_token == std::max({start, length - 11, std::int64_t{0}}));
    CHECK(record.last_token == std::min(start + 8, length) - 1);
    revert(record, batch.target());
  }
}

}  // namespace
}  // namespace kvarium
