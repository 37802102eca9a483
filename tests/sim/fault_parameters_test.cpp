#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include "core/check.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;

TEST_CASE("default parameters suit every model", "[sim][faults]") {
  for (const std::string& name : fault_models().names()) CHECK(fault_parameter_problems(name, {}).empty());
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    CHECK(info.is_default({}));
    if (!info.allowed.empty()) CHECK(info.text({}) == info.allowed.front());
  }
}

TEST_CASE("all problems of parameters are named at once", "[sim][faults]") {
  const FaultParameters parameters{.tensor = "keys", .bits = "sign", .permutation = "any"};

  const std::vector<std::string> problems = fault_parameter_problems("stale_block", parameters);

  REQUIRE(problems.size() == 2);
  CHECK(problems[0] == "tensor 'keys' is unknown; use one of any, key, value");
  CHECK(problems[1] == "fault model stale_block takes no bits (it takes none); remove it");
}

TEST_CASE("a model refuses parameters it does not take instead of ignoring them", "[sim][faults]") {
  FaultyBatch batch({});
  CounterRandom random = random_for(RandomPurpose::fault, {1, 1}, 0);

  CHECK_THROWS_WITH(inject_fault("single_bit_flip", batch.target(), {.permutation = "shuffled_bytes"}, random),
                    "fault model single_bit_flip takes no permutation (it takes tensor, bits); remove it");
  CHECK_THROWS_AS(inject_fault("double_bit_flip", batch.target(), {}, random), InputError);
  CHECK_THROWS_AS(fault_parameter_info("width"), InputError);
}

TEST_CASE("fault stages are called S0 to S3", "[sim][faults]") {
  CHECK(parse_fault_stage("S0") == FaultStage::before_producer_sum);
  CHECK(to_string(FaultStage::after_consumer_check) == "S3");
  CHECK_THROWS_WITH(parse_fault_stage("S4"), "unknown fault stage 'S4'; use one of S0, S1, S2, S3");
}

TEST_CASE("the fields of an element cover each of its bits once", "[sim][faults]") {
  const ElementType type = parse_element_type(GENERATE(from_range(element_type_names())));
  const BitRange mantissa = field_bits(type, ElementField::mantissa);
  const BitRange exponent = field_bits(type, ElementField::exponent);
  const BitRange sign = field_bits(type, ElementField::sign);

  CHECK(mantissa.first == 0);
  CHECK(exponent.first == mantissa.count);
  CHECK(sign.first == exponent.first + exponent.count);
  CHECK(sign.first + sign.count == 8 * element_bytes(type));
  for (int bit = 0; bit < 8 * element_bytes(type); ++bit) {
    const BitRange range = field_bits(type, field_of_bit(type, bit));
    CHECK(bit >= range.first);
    CHECK(bit < range.first + range.count);
  }
}

TEST_CASE("exponents have the widths of IEEE 754, bfloat16 and OCP fp8", "[sim][faults]") {
  CHECK(field_bits(ElementType::float32, ElementField::exponent) == BitRange{23, 8});
  CHECK(field_bits(ElementType::float16, ElementField::exponent) == BitRange{10, 5});
  CHECK(field_bits(ElementType::bfloat16, ElementField::exponent) == BitRange{7, 8});
  CHECK(field_bits(ElementType::float8_e4m3, ElementField::exponent) == BitRange{3, 4});
  CHECK(field_bits(ElementType::float8_e5m2, ElementField::exponent) == BitRange{2, 5});
}

TEST_CASE("a record is refused by caches that do not hold its bytes, and nothing is written", "[sim][faults]") {
  FaultyBatch batch({});
  CounterRandom random = random_for(RandomPurpose::fault, {1, 1}, 0);
  FaultRecord record = inject_fault("stale_block", batch.target(), {}, random).record.value();
  const std::vector<std::byte> struck = batch.bytes();

  CHECK_THROWS_AS(apply(record, batch.target()), InputError);
  record.changes.back().after ^= 1;
  CHECK_THROWS_AS(revert(record, batch.target()), InputError);
  record.changes.back().layer = 2;
  CHECK_THROWS_AS(revert(record, batch.target()), InputError);
  CHECK(batch.bytes() == struck);
}

}  // namespace
}  // namespace kvarium
