#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>
#include <set>
#include <tuple>

#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;

/// Records of `count` trials, each on intact contents.
std::vector<FaultRecord> flips(FaultyBatch& batch, const FaultParameters& parameters, std::uint64_t count) {
  std::vector<FaultRecord> records;
  for (std::uint64_t trial = 0; trial < count; ++trial) {
    CounterRandom random = random_for(RandomPurpose::fault, {21, 22}, trial);
    records.push_back(inject_fault("single_bit_flip", batch.target(), parameters, random).record.value());
    revert(records.back(), batch.target());
  }
  return records;
}

TEST_CASE("a bit flip changes one bit of one byte", "[sim][faults]") {
  FaultyBatch batch({});

  for (const FaultRecord& record : flips(batch, {}, 100)) {
    REQUIRE(record.changes.size() == 1);
    CHECK(std::popcount(record.mask()) == 1);
    CHECK(record.num_changed_attended_bytes == 1);
    CHECK(record.first_token == record.last_token);
    CHECK(std::countr_zero(record.mask()) == 8 * (record.byte / 2 * 2 % 8) + record.bit);
  }
}

TEST_CASE("bit flips strike every attended token once each, shared blocks not more often", "[sim][faults]") {
  FaultyBatch batch({});
  constexpr std::uint64_t count = 20000;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, int> hits;

  for (const FaultRecord& record : flips(batch, {}, count)) {
    ++hits[{record.layer, record.physical_block, record.token % batch.geometry().block_size}];
  }

  // Lengths 21, 16, 5; the first two share one block of 8 tokens: 34 physical tokens in each of two layers.
  CHECK(batch.target().num_tokens() == 34);
  REQUIRE(hits.size() == 68);
  double chi_square = 0.0;
  for (const auto& [place, hit] : hits) {
    const double expected = static_cast<double>(count) / 68.0;
    chi_square += (hit - expected) * (hit - expected) / expected;
  }
  // 99.99 % quantile of chi-square with 67 degrees of freedom.
  CHECK(chi_square < 117.0);
}

TEST_CASE("bit flips reach every bit of an element about equally often", "[sim][faults]") {
  FaultyBatch batch({});
  std::map<int, int> hits;
  for (const FaultRecord& record : flips(batch, {}, 16000)) ++hits[record.bit];

  REQUIRE(hits.size() == 16);
  for (const auto& [bit, hit] : hits) {
    CAPTURE(bit);
    CHECK(hit > 840);
    CHECK(hit < 1160);
  }
}

TEST_CASE("bit flips reach every element of K and of V", "[sim][faults]") {
  FaultyBatch batch({});
  std::set<std::int64_t> elements;
  for (const FaultRecord& record : flips(batch, {}, 2000)) elements.insert(record.byte / 2);

  CHECK(std::ssize(elements) == 2 * batch.geometry().head_size);
  CHECK(*elements.rbegin() == 2 * batch.geometry().head_size - 1);
}

TEST_CASE("bit flips keep to the part of an element asked for", "[sim][faults]") {
  const auto type = GENERATE(from_range(element_type_names()));
  const auto [bits, field] = GENERATE(table<std::string, ElementField>(
      {{"sign", ElementField::sign}, {"exponent", ElementField::exponent}, {"mantissa", ElementField::mantissa}}));
  CAPTURE(type, bits);
  FaultyBatch batch({.element_type = parse_element_type(type)});
  const BitRange range = field_bits(parse_element_type(type), field);

  std::set<int> seen;
  for (const FaultRecord& record : flips(batch, {.bits = bits}, 400)) {
    CHECK(record.field == field);
    seen.insert(record.bit);
  }

  CHECK(std::ssize(seen) == range.count);
  CHECK(*seen.begin() == range.first);
  CHECK(*seen.rbegin() == range.first + range.count - 1);
}

TEST_CASE("bit flips keep to the tensor asked for", "[sim][faults]") {
  FaultyBatch batch({});

  for (const FaultRecord& record : flips(batch, {.tensor = "key"}, 50)) CHECK(record.tensor == KvTensor::key);
  for (const FaultRecord& record : flips(batch, {.tensor = "value"}, 50)) CHECK(record.tensor == KvTensor::value);
}

TEST_CASE("bit flips stay inside the sliding window", "[sim][faults]") {
  FaultyBatch batch({.sliding_window = 3});

  for (const FaultRecord& record : flips(batch, {}, 200)) {
    CHECK(record.token >= batch.batch().seq_lens[static_cast<std::size_t>(record.sequence)] - 3);
  }
}

TEST_CASE("a flip is the same cell and bit in every layout", "[sim][faults]") {
  FaultyBatch head_major({.layout = CacheLayout::hnd});
  const std::vector<FaultRecord> expected = flips(head_major, {}, 20);
  const auto layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::packed);
  FaultyBatch other({.layout = layout});

  const std::vector<FaultRecord> found = flips(other, {}, 20);

  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].token == expected[i].token);
    CHECK(found[i].byte == expected[i].byte);
    CHECK(found[i].before == expected[i].before);
    CHECK(found[i].after == expected[i].after);
  }
}

}  // namespace
}  // namespace kvarium
