#include "experiments/yaml/yaml_scalar.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/text.hpp"

using namespace kvarium;

namespace {

YamlNode scalar(const std::string& text, bool quoted = false) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.place = {"f.yaml", 3, 7};
  node.text = text;
  node.quoted = quoted;
  return node;
}

struct BadScalar {
  const char* text;
  const char* message;  ///< after the place
};

template <class Read>
std::string complaint(Read read, const std::string& text) {
  ErrorList errors;
  CHECK_FALSE(read(scalar(text), errors).has_value());
  return join(errors.lines(), "\n");
}

const std::vector<BadScalar> bad_integers{
    {"1e3", "'1e3' is not an integer; write all digits, without point or exponent"},
    {"4.0", "'4.0' is not an integer; write all digits, without point or exponent"},
    {"012", "'012' is not an integer; remove the leading zeros (some YAML readers take them as octal)"},
    {"-007", "'-007' is not an integer; remove the leading zeros (some YAML readers take them as octal)"},
    {"0x10", "'0x10' is not an integer; write decimal digits"},
    {"0o17", "'0o17' is not an integer; write decimal digits"},
    {"1_000", "'1_000' is not an integer; write the digits without separators"},
    {"+5", "'+5' is not an integer; write decimal digits"},
    {"ten", "'ten' is not an integer; write decimal digits"},
    {"9007199254740992", "integer '9007199254740992' is too large; use 9007199254740991 at most"},
    {"-99999999999999999999", "integer '-99999999999999999999' is too large; use 9007199254740991 at most"},
};

const std::vector<BadScalar> bad_numbers{
    {".inf", "'.inf' is not a number; only finite numbers are allowed"},
    {"-.Inf", "'-.Inf' is not a number; only finite numbers are allowed"},
    {"nan", "'nan' is not a number; only finite numbers are allowed"},
    {".5", "'.5' is not a number; write a digit before the point"},
    {"01.5", "'01.5' is not a number; remove the leading zeros"},
    {"1.", "'1.' is not a number; write it as 12, 0.5 or 1e-3"},
    {"1e999", "number '1e999' does not fit a 64-bit float; use a magnitude from 1e-300 to 1e300, or 0"},
    {"50%", "'50%' is not a number; write it as 12, 0.5 or 1e-3"},
};

const std::vector<BadScalar> bad_booleans{
    {"yes", "'yes' is not true or false; write true or false"},
    {"no", "'no' is not true or false; write true or false"},
    {"True", "'True' is not true or false; write true or false"},
    {"on", "'on' is not true or false; write true or false"},
    {"1", "'1' is not true or false; write true or false"},
};

}  // namespace

TEST_CASE("an integer is decimal digits and nothing else", "[experiments][yaml]") {
  const BadScalar bad = GENERATE(from_range(bad_integers));
  CHECK(complaint(read_integer, bad.text) == std::string("f.yaml:3:7: ") + bad.message);
}

TEST_CASE("a number is what JSON takes and finite", "[experiments][yaml]") {
  const BadScalar bad = GENERATE(from_range(bad_numbers));
  CHECK(complaint(read_number, bad.text) == std::string("f.yaml:3:7: ") + bad.message);
}

TEST_CASE("a boolean is true or false and no other word", "[experiments][yaml]") {
  const BadScalar bad = GENERATE(from_range(bad_booleans));
  CHECK(complaint(read_boolean, bad.text) == std::string("f.yaml:3:7: ") + bad.message);
}

TEST_CASE("right scalars are read exactly", "[experiments][yaml]") {
  ErrorList errors;
  CHECK(read_integer(scalar("0"), errors) == 0);
  CHECK(read_integer(scalar("-12"), errors) == -12);
  CHECK(read_integer(scalar("9007199254740991"), errors) == largest_exact_integer);
  CHECK(read_number(scalar("1"), errors) == 1.0);
  CHECK(read_number(scalar("-2.5e-3"), errors) == -2.5e-3);
  CHECK(read_boolean(scalar("true"), errors) == true);
  CHECK(read_boolean(scalar("false"), errors) == false);
  CHECK(read_text(scalar("012"), errors) == "012");
  CHECK(read_text(scalar("a b", true), errors) == "a b");
  CHECK(errors.empty());
}

TEST_CASE("a quoted value is a text, whatever it looks like", "[experiments][yaml]") {
  ErrorList errors;
  CHECK_FALSE(read_integer(scalar("5", true), errors).has_value());
  CHECK_FALSE(read_boolean(scalar("true", true), errors).has_value());
  CHECK(errors.lines() ==
        std::vector<std::string>{"f.yaml:3:7: the quoted text '5' is not an integer; remove the quotes",
                                 "f.yaml:3:7: the quoted text 'true' is not true or false; remove the quotes"});
}

TEST_CASE("a very long number is refused without exhausting the stack", "[experiments][yaml]") {
  ErrorList errors;
  CHECK_FALSE(read_integer(scalar(std::string(1000000, '1')), errors).has_value());
  CHECK_FALSE(read_number(scalar(std::string(1000000, '1')), errors).has_value());
  CHECK(errors.size() == 2);
}
