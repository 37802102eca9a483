#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>
#include <set>

#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/fault_state.hpp"

namespace kvarium {
namespace {

using test::FaultState;
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

TEST_CASE("every fault model records exactly what differs in cache, block table and readings",
          "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  FaultyBatch batch(any_cache());
  CAPTURE(name);
  const FaultState before(batch);

  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    const FaultOutcome outcome = inject_fault(name, batch.target(), {}, trial_random(trial));
    CAPTURE(trial, outcome.not_applicable);
    if (!outcome.is_applicable()) {
      CHECK_FALSE(outcome.not_applicable.empty());
      REQUIRE(FaultState(batch) == before);
      continue;
    }
    const FaultRecord& record = *outcome.record;

    CHECK(test::differences(before, FaultState(batch)) == test::recorded(record, batch));
    CHECK(record.num_changed_bytes == std::ssize(record.changes));
    CHECK(record.num_changed_attended_bytes <= record.num_changed_stored_bytes);
    CHECK(record.num_changed_stored_bytes <= record.num_changed_bytes);

    revert(record, batch.target());
    REQUIRE(FaultState(batch) == before);
  }
}

TEST_CASE("every fault is made again by its record and undone bit for bit", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  FaultyBatch batch(any_cache());
  CAPTURE(name);
  const FaultState before(batch);

  const FaultOutcome outcome = inject_fault(name, batch.target(), {}, trial_random(1));
  if (!outcome.is_applicable()) return;
  const FaultState struck(batch);
  revert(*outcome.record, batch.target());
  CHECK(FaultState(batch) == before);
  apply(*outcome.record, batch.target());
  CHECK(FaultState(batch) == struck);
}

TEST_CASE("every fault repeats under its random numbers and changes with the trial", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch one({});
  FaultyBatch two({});
  std::set<std::string> sites;
  int applicable = 0;

  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    const FaultOutcome outcome = inject_fault(name, one.target(), {}, trial_random(trial));
    const FaultOutcome repeated = inject_fault(name, two.target(), {}, trial_random(trial));
    CHECK(outcome.record == repeated.record);
    CHECK(outcome.not_applicable == repeated.not_applicable);
    if (!outcome.is_applicable()) continue;
    ++applicable;
    sites.insert(test::site_text(*outcome.record));
    revert(*outcome.record, one.target());
    revert(*repeated.record, two.target());
  }

  CHECK(applicable > 0);
  CHECK(sites.size() > 1);
}

TEST_CASE("an injector that is used again reports what a new one reports", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch batch({});
  FaultInjector injector(name, {}, batch.target());

  for (std::uint64_t trial = 0; trial < 8; ++trial) {
    const FaultOutcome again = injector.inject(trial_random(trial)).outcome();
    if (again.is_applicable()) revert(*again.record, batch.target());
    const FaultOutcome once = inject_fault(name, batch.target(), {}, trial_random(trial));
    if (once.is_applicable()) revert(*once.record, batch.target());
    CHECK(once.record == again.record);
    CHECK(once.not_applicable == again.not_applicable);
  }
}

TEST_CASE("every record of changed bytes names a site that holds the value from after the fault",
          "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  FaultyBatch batch(any_cache());
  CAPTURE(name);

  const FaultOutcome outcome = inject_fault(name, batch.target(), {}, trial_random(2));
  if (!outcome.is_applicable() || outcome.record->struck != StruckThing::cache) return;
  const FaultRecord& record = *outcome.record;
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
  CHECK(record.first_token <= record.token);
  CHECK(record.token <= record.last_token);
  CHECK((record.tensor == KvTensor::key) == (record.byte < cell_bytes(cache.geometry) / 2));
  const bool is_attended = record.token < batch.batch().seq_lens[static_cast<std::size_t>(record.sequence)];
  CHECK(is_attended == (record.num_changed_attended_bytes > 0));
}

TEST_CASE("a fault counts the blocks it strikes", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch batch({});
  const FaultOutcome outcome = inject_fault(name, batch.target(), {}, trial_random(6));
  if (!outcome.is_applicable() || outcome.record->struck != StruckThing::cache) return;
  const std::vector<std::vector<std::uint8_t>> after = test::all_blocks(batch);
  revert(*outcome.record, batch.target());
  const std::vector<std::vector<std::uint8_t>> before = test::all_blocks(batch);

  std::int64_t differing = 0;
  for (std::size_t block = 0; block < before.size(); ++block) differing += before[block] != after[block] ? 1 : 0;

  CHECK(outcome.record->num_struck_blocks == differing);
}

TEST_CASE("an empty batch makes every fault not applicable", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);
  FaultyBatch batch({.context_lengths = {0, 0}});
  const FaultState before(batch);

  const FaultOutcome outcome = inject_fault(name, batch.target(), {}, trial_random(0));

  CHECK_FALSE(outcome.is_applicable());
  CHECK(outcome.not_applicable == "the batch attends no token");
  CHECK(FaultState(batch) == before);
}

TEST_CASE("every fault model says what it is and takes known parameters", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  CAPTURE(name);

  const FaultTraits traits = fault_models().at(name).traits();

  CHECK_FALSE(traits.description.empty());
  CHECK_FALSE(traits.fault_class.empty());
  CHECK_FALSE(traits.stages.empty());
  for (const std::string& parameter : traits.parameter_names) CHECK_NOTHROW(fault_parameter_info(parameter));
}

TEST_CASE("all 24 rows of the list of fault classes have a model", "[sim][faults][contract]") {
  std::set<std::string> classes;
  for (const std::string& name : fault_models().names()) classes.insert(fault_models().at(name).traits().fault_class);

  std::set<std::string> rows{"1a", "1b", "1c", "1d"};
  for (int number = 2; number <= 21; ++number) rows.insert(std::to_string(number));
  CHECK(classes == rows);
}

TEST_CASE("every named value of every parameter a model takes strikes some cache", "[sim][faults][contract]") {
  const auto name = GENERATE(from_range(fault_models().names()));
  for (const std::string& parameter : fault_models().at(name).traits().parameter_names) {
    const FaultParameterInfo& info = fault_parameter_info(parameter);
    for (const std::string& value : info.allowed) {
      CAPTURE(name, parameter, value);
      FaultParameters parameters;
      parameters.*std::get<std::string FaultParameters::*>(info.member) = value;
      bool is_applicable = false;
      for (const ElementType type : {ElementType::float16, ElementType::float8_e5m2}) {
        FaultyBatch batch({.element_type = type});
        for (std::uint64_t trial = 0; trial < 8 && !is_applicable; ++trial) {
          is_applicable = inject_fault(name, batch.target(), parameters, trial_random(trial)).is_applicable();
        }
      }
      CHECK(is_applicable);
    }
  }
}

}  // namespace
}  // namespace kvarium
