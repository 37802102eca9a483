#include "sim/contents/dump_source.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// Numbers that tell part, layer, token, head and channel.
ModelDump numbered_dump(std::int64_t num_tokens) {
  ModelDump dump{.num_layers = 2, .num_tokens = num_tokens, .num_kv_heads = 1, .num_heads = 2, .head_size = 8};
  for (std::int64_t row = 0; row < dump.num_layers * num_tokens; ++row) {
    for (int i = 0; i < 8; ++i) dump.key.push_back(static_cast<float>(100 * row + i));
    for (int i = 0; i < 8; ++i) dump.value.push_back(static_cast<float>(100 * row + 10 + i));
    for (int i = 0; i < 16; ++i) dump.query.push_back(static_cast<float>(100 * row + 20 + i));
  }
  return dump;
}

TEST_CASE("the first sequence repeats the dump from its start, cyclically", "[sim][contents]") {
  const DumpSource source(numbered_dump(5), 0);
  std::vector<float> key(7 * 8);
  std::vector<float> value(7 * 8);
  std::vector<float> query(7 * 16);

  source.fill_key({1, 0, 3, 7}, key.data());
  source.fill_value({1, 0, 3, 7}, value.data());
  source.fill_query({1, 0, 3, 7}, query.data());

  for (std::size_t i = 0; i < 7; ++i) {
    const auto row = static_cast<float>(100 * (5 + (3 + i) % 5));
    CHECK(key[i * 8 + 2] == row + 2.0F);
    CHECK(value[i * 8 + 2] == row + 12.0F);
    CHECK(query[i * 16 + 9] == row + 29.0F);
  }
}

TEST_CASE("as many sequences as the dump has tokens all begin at different tokens", "[sim][contents]") {
  for (const std::int64_t num_tokens : {1, 2, 3, 10, 20, 100, 301}) {
    const DumpSource source(numbered_dump(num_tokens), 0);
    std::set<std::int64_t> starts;
    for (std::int64_t sequence = 0; sequence < num_tokens; ++sequence) starts.insert(source.dump_token(sequence, 0));
    CHECK(static_cast<std::int64_t>(starts.size()) == num_tokens);
  }
}

TEST_CASE("the shared prefix is the dump's start in every sequence", "[sim][contents]") {
  const DumpSource source(numbered_dump(12), 4);

  for (std::int64_t token = 0; token < 4; ++token) CHECK(source.dump_token(3, token) == token);
  CHECK(source.dump_token(3, 4) != 4);
  CHECK(source.dump_token(0, 4) == 4);
}

TEST_CASE("a dump whose arrays do not have their shapes is refused by name", "[sim][contents]") {
  ModelDump dump = numbered_dump(3);
  std::string name = "key";

  SECTION("key") { dump.key.pop_back(); }
  SECTION("value") {
    dump.value.push_back(0.0F);
    name = "value";
  }
  SECTION("query") {
    dump.query.clear();
    name = "query";
  }
  SECTION("token_ids") {
    dump.token_ids = {1, 2};
    name = "token_ids";
  }

  CHECK_THROWS_WITH(DumpSource(dump, 0), Catch::Matchers::StartsWith("model dump: " + name + " has"));
}

TEST_CASE("a dump without tokens or with heads that do not divide is refused", "[sim][contents]") {
  ModelDump dump = numbered_dump(3);

  SECTION("no tokens") { dump.num_tokens = 0; }
  SECTION("no query heads") { dump.num_heads = 0; }
  SECTION("heads that do not divide") { dump.num_kv_heads = 3; }

  CHECK_THROWS_AS(DumpSource(dump, 0), InputError);
}

}  // namespace
}  // namespace kvarium
