#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/check.hpp"
#include "core/element_conversion.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

std::vector<std::string> families_with_persistent_schedule() {
  std::vector<std::string> names = runnable_families();
  std::erase_if(names,
                [](const auto& name) { return !attention_families().at(name).traits().has_persistent_schedule; });
  if (names.empty()) SKIP("no family of this device has a persistent schedule");
  return names;
}

AttentionVariant persistent(const std::string& family) { return {family, 0, 32}; }

DecodeShape shape_of(CacheLayout layout, ElementType query_type, ElementType cache_type) {
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = cache_type;
  shape.query_type = query_type;
  return shape;
}

TEST_CASE("a persistent schedule equals the oracle in every layout, type and option", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(families_with_persistent_schedule()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (ElementType query_type : {ElementType::float16, ElementType::bfloat16}) {
    for (ElementType cache_type : {query_type, ElementType::float8_e4m3, ElementType::float8_e5m2}) {
      const DecodeCase item = make_decode_case(shape_of(layout, query_type, cache_type));
      const bool is_scaled = is_float8(cache_type);
      check_against_oracle(item, persistent(family),
                           {.key_scale = is_scaled ? 0.5F : 1.0F, .value_scale = is_scaled ? 3.0F : 1.0F});
      check_against_oracle(item, persistent(family), {.sinks = true});
      check_against_oracle(item, persistent(family), {.window = 20});
      check_against_oracle(item, persistent(family), {.alibi = true, .sinks = true, .softcap = 5, .window = 33});
    }
  }
}

TEST_CASE("a persistent schedule is right for one long sequence, many short ones and ragged ones",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(families_with_persistent_schedule()));
  const int warps = GENERATE(2, 4, 8);
  std::vector<std::int32_t> ragged;
  for (int i = 0; i < 70; ++i) ragged.push_back(i * i * i % 3001);
  for (const auto& lengths : {std::vector<std::int32_t>{20'548}, std::vector<std::int32_t>(3000, 17), ragged}) {
    DecodeShape shape = small_shape();
    shape.seq_lens = lengths;
    AttentionVariant variant = persistent(family);
    variant.warps = warps;
    check_against_oracle(make_decode_case(shape), variant);
  }
}

TEST_CASE("a persistent schedule reads nothing outside the window and past the end", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(families_with_persistent_schedule()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.seq_lens.clear();
  for (int length = 1; length <= 70; ++length) shape.seq_lens.push_back(length);
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult with_nan = run_decode(item, persistent(family), {.window = 21});
  fill_unused_slots(item, encode_element(-1e4F, shape.cache.element_type));
  CHECK(run_decode(item, persistent(family), {.window = 21}) == with_nan);
}

TEST_CASE("a persistent schedule gives the same bits twice and does not call itself batch-invariant",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(families_with_persistent_schedule()));
  const DecodeCase item = make_decode_case(small_shape());
  const AttentionFamily& tested = attention_families().at(family);
  CHECK(run_decode(item, persistent(family)) == run_decode(item, persistent(family)));
  CHECK_FALSE(tested.is_batch_invariant(persistent(family)));
  CHECK(tested.is_batch_invariant({family, 64, 32}) == tested.traits().batch_invariant);
}

TEST_CASE("a persistent schedule has no partitions to hand out", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(families_with_persistent_schedule()));
  const DecodeCase item = make_decode_case(small_shape());
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = decode_arguments(item, result);
  std::vector<float> buffer(100'000);
  arguments.partials = {buffer.data(), buffer.data(), buffer.data(), ElementType::float32, 1};
  CHECK_THROWS_MATCHES(attend(arguments, persistent(family)), InputError,
                       MessageMatches(ContainsSubstring("partition_size is 0")));
}

TEST_CASE("partition_size 0 is refused by families without a persistent schedule, in one line", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  if (attention_families().at(family).traits().has_persistent_schedule) return;
  const DecodeCase item = make_decode_case(small_shape());
  DecodeResult result = make_result(item);
  CHECK_THROWS_MATCHES(attend(decode_arguments(item, result), {family, 0, 64}), InputError,
                       MessageMatches(ContainsSubstring("partition_size")));
}

}  // namespace
}  // namespace kvarium::test
