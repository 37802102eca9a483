#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <limits>

#include "core/element_conversion.hpp"
#include "core/random.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/guarded_memory.hpp"

namespace kvarium::test {
namespace {

constexpr std::int32_t largest_id = std::numeric_limits<std::int32_t>::max();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::array all_types{ElementType::float32, ElementType::float16, ElementType::bfloat16,
                               ElementType::float8_e4m3, ElementType::float8_e5m2};

/// Lengths of each remainder modulo 8 and ends of blocks of 16; slots that no sequence uses hold NaN.
DecodeCase case_of(CacheLayout layout, ElementType type) {
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  shape.seq_lens = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 47};
  return make_decode_case(shape);
}

TEST_CASE("bug 5: NaN and infinities in slots that no sequence stores change no bit", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  const DecodeCase item = case_of(layout, type);
  const DecodeResult with_nan = run_decode(item, {family, 32, 16});
  for (float filling : {0.0F, infinity, -infinity, -1e30F}) {
    fill_unused_slots(item, encode_element(filling, type));
    CAPTURE(filling);
    CHECK(run_decode(item, {family, 32, 16}) == with_nan);
  }
}

TEST_CASE("bug 6: finite values left behind in unused slots change no bit", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  const DecodeCase item = case_of(layout, type);
  fill_unused_slots(item, 0);
  const DecodeResult with_zeros = run_decode(item, {family, 32, 16});
  CounterRandom random({6, 0}, 0);
  for (int repetition = 0; repetition < 4; ++repetition) {
    fill_unused_slots_by(item, [&] { return encode_element(static_cast<float>(4 * random.normal()), type); });
    CAPTURE(repetition);
    CHECK(run_decode(item, {family, 32, 16}) == with_zeros);
  }
}

TEST_CASE("bug 7: NaN directly after the last token is not read for any length modulo 8", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.seq_lens.clear();
  for (int length = 1; length <= 40; ++length) shape.seq_lens.push_back(length);
  check_against_oracle(make_decode_case(shape), {family, 32, 16});
}

TEST_CASE("bug 9: a valid block after the last full one is not attended", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {16, 32, 64};
  DecodeCase item = make_decode_case(shape);
  const DecodeResult expected = run_decode(item, {family, 32, 16});
  std::int32_t unused = 0;
  while (std::find(item.block_tables.begin(), item.block_tables.end(), unused) != item.block_tables.end()) ++unused;
  REQUIRE(unused < item.cache.geometry().num_blocks);
  std::replace_if(
      item.block_tables.begin(), item.block_tables.end(), [](std::int32_t id) { return id < 0; }, unused);
  CHECK(run_decode(item, {family, 32, 16}) == expected);
}

/// Three sequences that use every block of the cache; the last one ends in the cache's last block.
DecodeCase case_at_the_end(CacheLayout layout, int head_size, std::int32_t last_length) {
  DecodeShape shape = small_shape();
  shape.cache = {layout, ElementType::float16, 4, 16, 2, head_size};
  shape.seq_lens = {5, 16, last_length};
  DecodeCase item = make_decode_case(shape);
  while (item.block_tables[static_cast<std::size_t>(2 * item.max_num_blocks_per_sequence + 1)] != 3) {
    ++shape.seed;
    item = make_decode_case(shape);
  }
  return item;
}

TEST_CASE("bug 11: table entries past a sequence are not followed, and nothing past the arrays is read",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const int head_size = GENERATE(8, 24, 64);
  DecodeCase item = case_at_the_end(layout, head_size, GENERATE(17, 31, 32));
  std::replace_if(
      item.block_tables.begin(), item.block_tables.end(), [](std::int32_t id) { return id < 0; }, largest_id);
  const DecodeResult expected = run_decode(item, {family, 32, 16});
  item.block_tables.resize(static_cast<std::size_t>(2 * item.max_num_blocks_per_sequence + 2));
  const GuardedMemory tables(std::as_bytes(std::span(item.block_tables)));
  const GuardedMemory lengths(std::as_bytes(std::span(item.shape.seq_lens)));
  const GuardedMemory query(item.query);
  const std::byte* storage = item.cache.storage().data();
  const GuardedMemory cache({storage, item.cache.size_bytes()});
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = decode_arguments(item, result);
  arguments.block_tables = reinterpret_cast<const std::int32_t*>(tables.data());
  arguments.seq_lens = reinterpret_cast<const std::int32_t*>(lengths.data());
  arguments.query = query.data();
  for (CacheTensor* tensor : {&arguments.cache.key, &arguments.cache.value}) {
    tensor->data = cache.data() + (tensor->data - storage);
  }

  attend(arguments, {family, 32, 16});

  CHECK(result == expected);
}

TEST_CASE("tokens and table entries before the window change no bit of the result", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  constexpr std::int64_t length = 100, window = 21;
  DecodeShape shape = small_shape();
  shape.seq_lens = {static_cast<std::int32_t>(length)};
  shape.cache.layout = layout;
  DecodeCase item = make_decode_case(shape);
  const DecodeResult before = run_decode(item, {family, 32, 16}, {.window = window});
  const PagedCacheView view = item.cache.view();
  for (std::int64_t token = 0; token < length - window; ++token) {
    fill_cell(view, item.block_tables[static_cast<std::size_t>(token / 16)] * 16 + token % 16,
              encode_element(std::numeric_limits<float>::quiet_NaN(), ElementType::float16));
  }
  for (std::int64_t block = 0; block < (length - window) / 16; ++block) {
    item.block_tables[static_cast<std::size_t>(block)] = -5;
  }
  CHECK(run_decode(item, {family, 32, 16}, {.window = window}) == before);
}

}  // namespace
}  // namespace kvarium::test
