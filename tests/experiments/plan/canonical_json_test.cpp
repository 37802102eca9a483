#include "experiments/plan/canonical_json.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace kvarium;
using nlohmann::json;

TEST_CASE("RFC 8785's example comes out byte for byte", "[experiments][plan]") {
  const json value = json::parse(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]})");

  CHECK(canonical_json(value) ==
        "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
        "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

TEST_CASE("keys stand in order of their UTF-16 code units, as RFC 8785's sorting example", "[experiments][plan]") {
  const json value =
      json::parse(R"({"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7})");

  CHECK(canonical_json(value) ==
        "{\"\\r\":2,\"1\":4,\"\xc2\x80\":6,\"\xc3\xb6\":7,\"\xe2\x82\xac\":1,\"\xf0\x9f\x98\x80\":5,"
        "\"\xef\xac\xb3\":3}");
}

TEST_CASE("empty objects and arrays, integers and nesting print without white space", "[experiments][plan]") {
  CHECK(canonical_json(json::parse(R"({"b": {}, "a": [[], {"c": -3}], "d": 9007199254740991})")) ==
        R"({"a":[[],{"c":-3}],"b":{},"d":9007199254740991})");
}
