#include "experiments/yaml/yaml_parser.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/check.hpp"
#include "core/text.hpp"

using namespace kvarium;

namespace {

struct BadDocument {
  const char* text;
  const char* message;  ///< all lines
};

/// What is said of a document: the collected errors, or the one that ends the parse.
std::string complaint(const std::string& text) {
  ErrorList errors;
  try {
    parse_yaml(text, "f.yaml", errors);
  } catch (const InputError& error) {
    return error.what();
  }
  return join(errors.lines(), "\n");
}

const std::vector<BadDocument> bad_documents{
    {"", "f.yaml: holds no YAML document; write one"},
    {"# only a comment\n", "f.yaml: holds no YAML document; write one"},
    {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' stands twice (first in line 1); remove one"},
    {"a: {b: 1, b: 2}\n", "f.yaml:1:11: key 'b' stands twice (first in line 1); remove one"},
    {"a: &x 1\nb: *x\n", "f.yaml:2:4: aliases (*name) are not supported; write the value out"},
    {"a: &x {c: 1}\nb:\n  <<: *x\n",
     "f.yaml:3:3: merge keys (<<) are not supported; write the keys out\n"
     "f.yaml:3:7: aliases (*name) are not supported; write the value out"},
    {"a: !!int 3\n", "f.yaml:1:4: tag 'tag:yaml.org,2002:int' is not supported; remove it"},
    {"a: 1\n---\nb: 2\n", "f.yaml:2:1: a second YAML document begins; keep one document in a file"},
    {"? [1, 2]\n: 3\n", "f.yaml:1:3: a key is a list; write a name before the colon"},
    {"a: [1, 2\n", "f.yaml:1:9: not valid YAML (end of sequence flow not found); correct it there"},
    {"a:\n\t- 1\n", nullptr},
    {"a: \"never closed\n", nullptr},
    {"a: 'never closed\nb: 1\n\n  \n", nullptr},
    {"a: b: c\n", "f.yaml:1:5: not valid YAML (illegal map value); correct it there"},
    {"a: 1\nb: \x01\n", "f.yaml:2:4: byte 0x01 is not UTF-8 text; name a YAML file"},
    {"\x89HDF\r\n\x1a\n", "f.yaml:1:1: byte 0x89 is not UTF-8 text; name a YAML file"},
    {"\xff\xfe"
     "a",
     "f.yaml:1:1: byte 0xff is not UTF-8 text; name a YAML file"},
    {"a: *nobody\n", nullptr},
};

}  // namespace

TEST_CASE("a document the strict form refuses is refused with the place of each error", "[experiments][yaml]") {
  const BadDocument bad = GENERATE(from_range(bad_documents));
  CAPTURE(bad.text);

  const std::string message = complaint(bad.text);

  if (bad.message != nullptr) {
    CHECK(message == bad.message);
  } else {
    CHECK(message.starts_with("f.yaml:"));
    CHECK(message.find("not valid YAML") != std::string::npos);
  }
}

TEST_CASE("a document keeps the place, quotes and order of everything in it", "[experiments][yaml]") {
  ErrorList errors;

  const YamlNode document = parse_yaml("b: [1, 'two']\na:\n  c: ~\n", "f.yaml", errors);

  REQUIRE(errors.empty());
  REQUIRE(document.kind == YamlNode::Kind::map);
  REQUIRE(document.entries.size() == 2);
  CHECK(document.entries[0].key == "b");
  CHECK(document.entries[1].place == Place{"f.yaml", 2, 1});
  const YamlNode& list = document.entries[0].value;
  CHECK(list.items[0].text == "1");
  CHECK_FALSE(list.items[0].quoted);
  CHECK(list.items[1].quoted);
  CHECK(list.items[1].place == Place{"f.yaml", 1, 8});
  CHECK(document.find("a")->find("c")->kind == YamlNode::Kind::null);
  CHECK(document.find("nothing") == nullptr);
}

TEST_CASE("nesting of any depth is refused without exhausting the stack", "[experiments][yaml]") {
  const std::string opening = GENERATE(std::string("["), std::string("{a: "), std::string("- "), std::string("? "));
  std::string text;
  for (int level = 0; level < 200000; ++level) text += opening;
  text += "x";

  const std::string message = complaint(text);

  CAPTURE(message);
  CHECK(message.find("nest deeper than 32 levels; write fewer levels") != std::string::npos);
}

TEST_CASE("cut or changed documents give an error or a document, never a crash", "[experiments][yaml]") {
  const std::string text = "schema: 1\nbase:\n  cache: {layout: hnd, head_size: 64}\nsweep:\n  grid:\n    a: [1, 2]\n";
  const std::string letters = "[]{}:,-?&*!|>'\"%@`#\n\t \\0~<";
  for (std::size_t position = 0; position < text.size(); ++position) {
    CHECK_NOTHROW(complaint(text.substr(0, position)));
    for (const char letter : letters) {
      std::string changed = text;
      changed[position] = letter;
      CHECK_NOTHROW(complaint(changed));
    }
  }
}
