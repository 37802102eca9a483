#include "core/element_conversion.hpp"

#include <catch2/catch_test_macros.hpp>

namespace kvarium::test {
namespace {

TEST_CASE("every code of every small type survives decoding and encoding", "[core]") {
  for (ElementType type :
       {ElementType::float16, ElementType::bfloat16, ElementType::float8_e4m3, ElementType::float8_e5m2}) {
    const std::uint32_t codes = 1U << (8 * element_bytes(type));
    for (std::uint32_t code = 0; code < codes; ++code) {
      const float value = decode_element(code, type);
      if (std::isnan(value)) {
        REQUIRE(std::isnan(decode_element(encode_element(value, type), type)));
        continue;
      }
      // An infinite fp8 value is encoded saturated.
      if (std::isinf(value) && is_float8(type)) continue;
      INFO(to_string(type) << " code " << code);
      REQUIRE(encode_element(value, type) == code);
    }
  }
}

TEST_CASE("known values have their published codes", "[core]") {
  CHECK(encode_element(1.0F, ElementType::float16) == 0x3C00);
  CHECK(encode_element(65504.0F, ElementType::float16) == 0x7BFF);
  CHECK(encode_element(65520.0F, ElementType::float16) == 0x7C00);
  CHECK(encode_element(0x1p-24F, ElementType::float16) == 0x0001);
  CHECK(encode_element(0x1p-25F, ElementType::float16) == 0x0000);
  CHECK(encode_element(1.0F, ElementType::bfloat16) == 0x3F80);
  CHECK(encode_element(448.0F, ElementType::float8_e4m3) == 0x7E);
  CHECK(encode_element(1e9F, ElementType::float8_e4m3) == 0x7E);
  CHECK(encode_element(std::numeric_limits<float>::infinity(), ElementType::float8_e4m3) == 0x7E);
  CHECK(encode_element(0x1p-9F, ElementType::float8_e4m3) == 0x01);
  CHECK(encode_element(57344.0F, ElementType::float8_e5m2) == 0x7B);
  CHECK(encode_element(-1e9F, ElementType::float8_e5m2) == 0xFB);
  CHECK(std::isinf(decode_element(0x7C, ElementType::float8_e5m2)));
  CHECK(std::isnan(decode_element(0x7F, ElementType::float8_e4m3)));
}

TEST_CASE("ties go to the even code", "[core]") {
  CHECK(encode_element(1.0F + 0x1p-11F, ElementType::float16) == 0x3C00);
  CHECK(encode_element(1.0F + 3 * 0x1p-11F, ElementType::float16) == 0x3C02);
  CHECK(encode_element(1.0F + 0x1p-8F, ElementType::bfloat16) == 0x3F80);
  CHECK(encode_element(1.0F + 0x1p-4F, ElementType::float8_e4m3) == 0x38);
  CHECK(encode_element(1.0F + 3 * 0x1p-4F, ElementType::float8_e4m3) == 0x3A);
}

}  // namespace
}  // namespace kvarium::test
