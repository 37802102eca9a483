#include "experiments/yaml/text_file.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/check.hpp"

using namespace kvarium;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("a file that cannot be read is named with the reason", "[experiments][yaml]") {
  CHECK_THROWS_MATCHES(read_text_file("/nowhere/f.yaml"), InputError,
                       MessageMatches(ContainsSubstring("/nowhere/f.yaml: cannot be opened (No such file")));
  CHECK_THROWS_MATCHES(read_text_file("/"), InputError, MessageMatches(ContainsSubstring("/: this is a folder")));
  CHECK_THROWS_MATCHES(read_text_file("/dev/zero"), InputError,
                       MessageMatches(ContainsSubstring("/dev/zero: is larger than 16 MiB")));
}

TEST_CASE("text outside UTF-8 is refused at its first byte", "[experiments][yaml]") {
  // Overlong forms, surrogates, values past U+10FFFF, a cut character, a lone continuation byte.
  const std::string bad =
      GENERATE(std::string("\xc0\xaf"), std::string("\xe0\x80\xaf"), std::string("\xed\xa0\x80"),
               std::string("\xf4\x90\x80\x80"), std::string("\xe2\x82"), std::string("\x80"), std::string(1, '\0'));
  CHECK_THROWS_MATCHES(validate_text("ok\n..." + bad, "f.yaml"), InputError,
                       MessageMatches(ContainsSubstring("f.yaml:2:4: byte 0x")));
}

TEST_CASE("text in any script is accepted", "[experiments][yaml]") {
  CHECK_NOTHROW(validate_text("a\tb\r\n\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbb\xbf", "f.yaml"));
}
