#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>

#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;
using test::FaultyBatchShape;

FaultyBatchShape any_cache() {
  const auto layout = GENERATE(from_range(cache_layout_names()));
  const auto type = GENERATE(from_range(element_type_names()));
  UNSCOPED_INFO(layout << " " << type);
  FaultyBatchShape shape;
  shape.layout = parse_cache_layout(layout);
  shape.element_type = parse_element_type(type);
  return shape;
}

CounterRandom trial_random(std::uint64_t trial) { return random_for(RandomPurpose::fault, {1, 2}, trial); }

/// Index in FaultyBatch::bytes() of a recorded change.
std::size_t index_of(const ByteChange& change, FaultyBatch& batch) {
  const std::size_t layer_bytes = batch.bytes().size() / batch.layers().size();
  const PagedCacheView& layer = batch.layers()[static_cast<std::size_t>(change.layer)];
  const std::byte* start = change.tensor == KvTensor::key ? layer.key.data : layer.value.data;
  const auto in_layer = static_cast<std::size_t>(start + change.offset - layer.key.data);
  return static_cast<std::size_t>(change.layer) * layer_bytes + in_layer;
}

struct BeforeAfter {
  std::uint8_t before = 0;
  std::uint8_t after = 0;

  bool operator==(const BeforeAfter&) const = default;
};

std::map<std::size_t, BeforeAfter> differing_bytes(const std::vector<std::byte>& before,
                                                   const std::vector<std::byte>& after) {
  std::map<std::size_t, BeforeAfter> differing;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    differing[i] = {std::to_integer<std::uint8_t>(before[i]), std::to_integer<std::uint8_t>(after[i])};
  }
  return differing;
}

std::map<std::size_t, BeforeAfter> recorded_bytes(const FaultRecord& record, FaultyBatch& batch) {
  std::map<std::size_t, BeforeAfter> recorded;
  for (const ByteChange& change : record.changes) recorded[index_of(change, batch)] = {change.before, change.after};
  return recorded;
}

TEST_CASE("every fault model records exactly the bytes that differ in the whole cache", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  FaultyBatch batch(any_cache());
  CAPTURE(name);
  const std::vector<std::byte> before = batch.bytes();

  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    CounterRandom random = trial_random(trial);
    const FaultOutcome outcome = inject_fault(name, batch.target(), {}, random);
    REQUIRE(outcome.is_applicable());
    const FaultRecord& record = *outcome.record;

    CHECK(differing_bytes(before, batch.bytes()) == recorded_bytes(record, batch));
    CHECK(record.num_changed_bytes == std::ssize(record.changes));
    CHECK(record.num_changed_bytes > 0);

    revert(record, batch.target());
    REQUIRE(batch.bytes() == before);
  }
}

TEST_CASE("every fault is made again by its record and undone bit for bit", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  FaultyBatch batch(any_cache());
  CAPTURE(name);
  const std::vector<std::byte> before = batch.bytes();
  CounterRandom random = trial_random(1);

  const FaultRecord record = inject_fault(name, batch.target(), {}, random).record.value();
  const std::vector<std::byte> struck = batch.bytes();
  revert(record, batch.target());
  CHECK(batch.bytes() == before);
  apply(record, batch.target());
  CHECK(batch.bytes() == struck);
}

TEST_CASE("every fault repeats under its random numbers and changes with the trial", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch one({});
  FaultyBatch two({});
  CounterRandom first = trial_random(3);
  CounterRandom same = trial_random(3);

  const FaultRecord record = inject_fault(name, one.target(), {}, first).record.value();
  const FaultRecord repeated = inject_fault(name, two.target(), {}, same).record.value();

  CHECK(record == repeated);
  revert(repeated, two.target());
  CounterRandom next = trial_random(4);
  CHECK(inject_fault(name, two.target(), {}, next).record != record);
}

TEST_CASE("every record's site holds the value from after the fault", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  FaultyBatch batch(any_cache());
  CAPTURE(name);
  CounterRandom random = trial_random(2);

  const FaultRecord record = inject_fault(name, batch.target(), {}, random).record.value();
  const PagedCacheView& cache = batch.layers()[static_cast<std::size_t>(record.layer)];
  const std::int64_t block_size = cache.geometry.block_size;
  std::uint64_t piece = 0;
  for (std::int64_t i = 0; i < 8; ++i) {
    const CellByte place{record.kv_head, record.token % block_size, record.byte / 8 * 8 + i};
    const std::byte* address = address_of(cache, locate_byte(cache, record.physical_block, place));
    piece |= std::to_integer<std::uint64_t>(*address) << (8 * i);
  }

  CHECK(record.model == name);
  CHECK(piece == record.after);
  CHECK(record.mask() != 0);
  CHECK(batch.batch().block_tables(record.sequence, record.logical_block) == record.physical_block);
  CHECK(record.token / block_size == record.logical_block);
  CHECK(record.token < batch.batch().seq_lens[static_cast<std::size_t>(record.sequence)]);
  CHECK(record.first_token <= record.token);
  CHECK(record.token <= record.last_token);
  CHECK((record.tensor == KvTensor::key) == (record.byte < cell_bytes(cache.geometry) / 2));
}

TEST_CASE("no fault touches a layer or block other than the recorded one", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch batch({});
  std::vector<std::vector<std::uint8_t>> before;
  const auto read_all = [&] {
    std::vector<std::vector<std::uint8_t>> blocks;
    for (const PagedCacheView& layer : batch.layers()) {
      for (std::int64_t block = 0; block < layer.geometry.num_blocks; ++block) {
        blocks.push_back(read_block_cells(layer, block));
      }
    }
    return blocks;
  };
  before = read_all();
  CounterRandom random = trial_random(6);

  const FaultRecord record = inject_fault(name, batch.target(), {}, random).record.value();

  const std::vector<std::vector<std::uint8_t>> after = read_all();
  const auto struck = static_cast<std::size_t>(record.layer * batch.geometry().num_blocks + record.physical_block);
  for (std::size_t block = 0; block < before.size(); ++block) {
    CHECK((before[block] == after[block]) == (block != struck));
  }
}

TEST_CASE("an empty batch makes every fault not applicable", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch batch({.context_lengths = {0, 0}});
  const std::vector<std::byte> before = batch.bytes();
  CounterRandom random = trial_random(0);

  const FaultOutcome outcome = inject_fault(name, batch.target(), {}, random);

  CHECK_FALSE(outcome.is_applicable());
  CHECK(outcome.not_applicable == "the batch attends no token");
  CHECK(batch.bytes() == before);
}

TEST_CASE("every fault model says what it is and takes known parameters", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);

  const FaultTraits traits = fault_models().at(name).traits();

  CHECK_FALSE(traits.description.empty());
  CHECK_FALSE(traits.fault_class.empty());
  for (const std::string& parameter : traits.parameter_names) CHECK_NOTHROW(fault_parameter_info(parameter));
}

TEST_CASE("every allowed value of every parameter a model takes is injected", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  for (const std::string& parameter : fault_models().at(name).traits().parameter_names) {
    const FaultParameterInfo& info = fault_parameter_info(parameter);
    for (const std::string& value : info.allowed) {
      CAPTURE(name, parameter, value);
      FaultyBatch batch({});
      FaultParameters parameters;
      parameters.*info.member = value;
      CounterRandom random = trial_random(8);
      CHECK(inject_fault(name, batch.target(), parameters, random).is_applicable());
    }
  }
}

}  // namespace
}  // namespace kvarium
