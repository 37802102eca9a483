#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;

/// Records of applicable faults among `count` trials, each on intact contents.
std::vector<FaultRecord> strikes(FaultyBatch& batch, const std::string& model, const FaultParameters& parameters,
                                 std::uint64_t count = 60) {
  std::vector<FaultRecord> records;
  for (std::uint64_t trial = 0; trial < count; ++trial) {
    const CounterRandom random = random_for(RandomPurpose::fault, {31, 32}, trial);
    const FaultOutcome outcome = inject_fault(model, batch.target(), parameters, random);
    if (!outcome.is_applicable()) continue;
    records.push_back(*outcome.record);
    revert(records.back(), batch.target());
  }
  return records;
}

/// Place in its block's memory of a changed byte.
std::int64_t place_of(const FaultyBatch& batch, const ByteChange& change) {
  const BlockMemory memory(batch.layers().front());
  return memory.place_of({change.kv_head, change.token, change.byte});
}

TEST_CASE("a pin inverts one lane of consecutive words of memory", "[sim][faults]") {
  const auto layout = GENERATE(CacheLayout::hnd, CacheLayout::split_x, CacheLayout::packed);
  const std::int64_t word = GENERATE(4, 8);
  FaultyBatch batch({.layout = layout});
  const FaultParameters parameters{.lane = 13, .flips = 4, .word_bytes = word, .drive = "invert"};

  for (const FaultRecord& record : strikes(batch, "same_lane_flips", parameters)) {
    REQUIRE(record.changes.size() == 4);
    const std::int64_t first = place_of(batch, record.changes.front());
    CHECK(first % word == 1);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(place_of(batch, record.changes[i]) == first + static_cast<std::int64_t>(i) * word);
      CHECK((record.changes[i].before ^ record.changes[i].after) == 1 << 5);
    }
  }
}

TEST_CASE("a stuck pin drives its lane one way and leaves words that have that value", "[sim][faults]") {
  FaultyBatch batch({});
  std::set<std::size_t> sizes;
  for (const FaultRecord& record : strikes(batch, "same_lane_flips", {.lane = 3, .flips = 4, .drive = "stuck_one"})) {
    sizes.insert(record.changes.size());
    for (const ByteChange& change : record.changes) CHECK((change.after & ~change.before) == 1 << 3);
  }
  CHECK(sizes.size() > 1);
}

TEST_CASE("scattered words are distinct and attended", "[sim][faults]") {
  FaultyBatch batch({});
  std::set<std::int64_t> distances;
  for (const FaultRecord& record :
       strikes(batch, "same_lane_flips", {.flips = 2, .placement = "scattered", .drive = "invert"})) {
    REQUIRE(record.changes.size() == 2);
    CHECK(record.num_changed_attended_bytes == 2);
    distances.insert(place_of(batch, record.changes[1]) - place_of(batch, record.changes[0]));
  }
  CHECK(distances.size() > 20);
}

TEST_CASE("more flips or a higher lane than there are words and bits are not applicable", "[sim][faults]") {
  FaultyBatch batch({});
  const CounterRandom random = random_for(RandomPurpose::fault, {1, 1}, 0);

  CHECK(inject_fault("same_lane_flips", batch.target(), {.lane = 40, .word_bytes = 4}, random).not_applicable ==
        "words have no such lane");
  CHECK(inject_fault("burst", batch.target(), {.burst_bytes = 4096}, random).not_applicable ==
        "the burst is longer than a block");
}

TEST_CASE("a burst stays within its aligned bytes and sets as many bits as asked", "[sim][faults]") {
  FaultyBatch batch({});
  const std::int64_t bytes = GENERATE(1, 8, 32, 64);

  for (const FaultRecord& record : strikes(batch, "burst", {.burst_bytes = bytes, .mask_bits = 3})) {
    const std::int64_t start = place_of(batch, record.changes.front()) / bytes * bytes;
    int bits = 0;
    for (const ByteChange& change : record.changes) {
      CHECK(place_of(batch, change) / bytes * bytes == start);
      bits += std::popcount(static_cast<unsigned>(change.before ^ change.after));
    }
    CHECK(bits == 3);
  }
}

TEST_CASE("a random burst turns over half of its bits", "[sim][faults]") {
  FaultyBatch batch({});
  int bits = 0;
  const std::vector<FaultRecord> records = strikes(batch, "burst", {.burst_bytes = 64});
  for (const FaultRecord& record : records) {
    for (const ByteChange& change : record.changes) {
      bits += std::popcount(static_cast<unsigned>(change.before ^ change.after));
    }
  }
  const double share = bits / (512.0 * static_cast<double>(records.size()));
  CHECK(share > 0.48);
  CHECK(share < 0.52);
}

TEST_CASE("a stuck line drives a bit, or a byte, at its stride over its stretch", "[sim][faults]") {
  FaultyBatch batch({});
  FaultParameters parameters{.lane = 6, .drive = "invert", .stride_bytes = 64, .extent_bytes = 256};

  for (const FaultRecord& record : strikes(batch, "stuck_line", parameters)) {
    REQUIRE(record.changes.size() == 4);
    const std::int64_t first = place_of(batch, record.changes.front());
    CHECK(first / 256 == place_of(batch, record.changes.back()) / 256);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(place_of(batch, record.changes[i]) == first + 64 * static_cast<std::int64_t>(i));
      CHECK((record.changes[i].before ^ record.changes[i].after) == 1 << 6);
    }
  }
  parameters = {.drive = "stuck_zero", .stride_bytes = 1, .extent_bytes = 64, .forced = "byte"};
  for (const FaultRecord& record : strikes(batch, "stuck_line", parameters)) {
    for (const ByteChange& change : record.changes) CHECK(change.after == 0);
  }
}

TEST_CASE("memory order and cell order are each other's inverse in every layout", "[sim][faults]") {
  const auto layout = GENERATE(CacheLayout::hnd, CacheLayout::nhd, CacheLayout::split_x, CacheLayout::packed);
  FaultyBatch batch({.layout = layout});
  const BlockMemory memory(batch.layers().front());
  std::int64_t last_key = -1;

  for (std::int64_t place = 0; place < memory.size(); ++place) {
    const CellByte byte = memory.cell_at(place);
    CHECK(memory.place_of(byte) == place);
    const MemoryByte located = locate_byte(batch.layers().front(), 0, byte);
    if (layout == CacheLayout::packed || located.tensor == KvTensor::value) continue;
    CHECK(located.offset == last_key + 1);
    last_key = located.offset;
  }
}

}  // namespace
}  // namespace kvarium
