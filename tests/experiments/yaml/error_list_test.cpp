#include "experiments/yaml/error_list.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/check.hpp"
#include "experiments/yaml/quoted_text.hpp"

using namespace kvarium;

TEST_CASE("errors are listed in order of place, whatever order they were found in", "[experiments][yaml]") {
  ErrorList errors;
  errors.add({"f.yaml", 9, 1}, "third", "remove it");
  errors.add({"f.yaml", 2, 8}, "second; remove it");
  errors.add({"--set a=b", 0, 0}, "option", "remove it");
  errors.add({"f.yaml", 2, 3}, "first", "remove it");

  CHECK(errors.lines() == std::vector<std::string>{"--set a=b: option; remove it", "f.yaml:2:3: first; remove it",
                                                   "f.yaml:2:8: second; remove it", "f.yaml:9:1: third; remove it"});
}

TEST_CASE("a very long list of errors is cut and says so", "[experiments][yaml]") {
  ErrorList errors;
  for (int line = 1; line <= 150; ++line) errors.add({"f.yaml", line, 1}, "wrong", "change it");
  try {
    errors.throw_if_any();
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    const std::string message = error.what();
    CHECK(message.ends_with("f.yaml:100:1: wrong; change it\nand 50 more errors; correct these first"));
  }
}

TEST_CASE("no errors throw nothing", "[experiments][yaml]") { CHECK_NOTHROW(ErrorList().throw_if_any()); }

TEST_CASE("quoted text stays on one line of bounded length", "[experiments][yaml]") {
  CHECK(quote("a\nb\x7f") == R"('a\x0ab\x7f')");
  CHECK(quote(std::string(100, 'x')) == "'" + std::string(60, 'x') + "...'");
  // The cut moves off the middle of a character.
  CHECK(quote(std::string(59, 'x') + "\xc3\xa4") == "'" + std::string(59, 'x') + "...'");
}
