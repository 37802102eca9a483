#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/element_conversion.hpp"
#include "kernels/attention/attention_family.hpp"
#include "tests/support/attention_oracle.hpp"
#include "tests/support/random_cache.hpp"

namespace kvarium::test {
namespace {

/// Families this machine can run.
std::vector<std::string> runnable_families() {
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    if (attention_families().at(name).traits().device == Device::cpu) names.push_back(name);
  }
  return names;
}

/// Options of a call that the oracle knows too.
struct Options {
  bool alibi = false, sinks = false;
  float softcap = 0, scale = 0, key_scale = 1, value_scale = 1;
  std::int64_t window = 0;
};

PagedAttentionArguments with_options(const DecodeCase& item, DecodeResult& result, const Options& options) {
  PagedAttentionArguments arguments = item.arguments(result.out.data(), result.lse.data());
  if (options.alibi) arguments.alibi_slopes = item.alibi_slopes.data();
  if (options.sinks) arguments.sinks = item.sinks.data();
  if (options.scale != 0) arguments.scale = options.scale;
  arguments.softcap = options.softcap;
  arguments.sliding_window = options.window;
  arguments.cache.key_scale = options.key_scale;
  arguments.cache.value_scale = options.value_scale;
  return arguments;
}

DecodeResult run(const DecodeCase& item, const AttentionVariant& variant, const Options& options = {}) {
  DecodeResult result = make_result(item);
  paged_attention_v2(with_options(item, result, options), variant);
  return result;
}

void check_against_oracle(const DecodeCase& item, const AttentionVariant& variant, const Options& options = {}) {
  DecodeResult result = make_result(item);
  const PagedAttentionArguments arguments = with_options(item, result, options);
  const OracleResult oracle = attention_oracle(arguments);

  paged_attention_v2(arguments, variant);

  const WorstRow worst =
      worst_row(result.out.data(), item.shape.query_type, oracle.out, item.shape.cache.head_size);
  INFO(variant.family << " partition_size " << variant.partition_size << " block_n " << variant.block_n << " on "
                      << to_string(item.shape.cache) << ": " << worst);
  CHECK(worst.error <= tolerance(item.shape.query_type));
  // Products cancel, so the error of a float32 logit is relative to the query's size, not to the logit.
  const double absolute = 2e-5 + 1e-6 * static_cast<double>(item.shape.query_size);
  for (std::size_t i = 0; i < result.lse.size(); ++i) {
    const auto lse = static_cast<double>(result.lse[i]);
    INFO("row " << i << ": lse " << lse << " instead of " << oracle.lse[i]);
    CHECK((lse == oracle.lse[i] || std::abs(lse - oracle.lse[i]) <= absolute + 2e-5 * std::abs(oracle.lse[i])));
  }
}

DecodeShape small_shape() {
  DecodeShape shape;
  shape.cache = {CacheLayout::hnd, ElementType::float16, 0, 16, 2, 64};
  shape.query_heads_per_kv_head = 2;
  shape.query_type = ElementType::float16;
  shape.seq_lens = {1, 15, 16, 17, 0, 63, 64, 65, 130};
  return shape;
}

constexpr CacheLayout all_layouts[] = {CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed};

TEST_CASE("bug 20: every head size from 8 to 256 is right or refused in every layout", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  for (int head_size = 8; head_size <= 256; head_size += 8) {
    DecodeShape shape = small_shape();
    shape.seq_lens = {33};
    shape.cache.num_kv_heads = 1;
    shape.cache.head_size = head_size;
    shape.cache.layout = all_layouts[head_size / 8 % 4];
    check_against_oracle(make_decode_case(shape), {family, 64, 32});
  }
  DecodeShape shape = small_shape();
  shape.cache.head_size = 36;
  CHECK_THROWS_AS(make_decode_case(shape), InputError);
}

TEST_CASE("bug 21: fp8 caches are right for every head size that fits", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const ElementType type = GENERATE(ElementType::float8_e4m3, ElementType::float8_e5m2);
  for (int head_size = 16; head_size <= 256; head_size += 16) {
    DecodeShape shape = small_shape();
    shape.seq_lens = {40};
    shape.cache = {all_layouts[head_size / 16 % 4], type, 0, 8, 1, head_size};
    check_against_oracle(make_decode_case(shape), {family, 64, 64}, {.key_scale = 0.5F, .value_scale = 0.25F});
  }
}

TEST_CASE("bug 23: K and V scales of fp8 caches each count once for any number of partitions", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  for (float key_scale : {0.01F, 1.0F, 3.0F}) {
    DecodeShape shape = small_shape();
    shape.cache.element_type = ElementType::float8_e4m3;
    for (int partition_size : {16, 64, 512}) {
      check_against_oracle(make_decode_case(shape), {family, partition_size, 64},
                           {.key_scale = key_scale, .value_scale = 7 * key_scale});
    }
  }
}

TEST_CASE("bug 26: every length modulo the block size is right for every block size", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const int block_size = GENERATE(8, 16, 32, 64, 128, 256);
  DecodeShape shape = small_shape();
  shape.cache.block_size = block_size;
  shape.cache.layout = block_size % 64 == 0 ? CacheLayout::split_x : CacheLayout::nhd;
  shape.cache.num_kv_heads = 1;
  shape.cache.head_size = 16;
  shape.seq_lens.clear();
  for (int length = 0; length <= 2 * block_size + 1; length += block_size > 32 ? 7 : 1) shape.seq_lens.push_back(length);
  for (int length : {block_size - 1, block_size, block_size + 1}) shape.seq_lens.push_back(length);
  check_against_oracle(make_decode_case(shape), {family, block_size, 16});
}

TEST_CASE("any number of query heads shares a KV head", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const int group = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16);
  DecodeShape shape = small_shape();
  shape.query_heads_per_kv_head = group;
  shape.cache.layout = all_layouts[group % 4];
  check_against_oracle(make_decode_case(shape), {family, 64, 32});
}

TEST_CASE("bug 28: many partitions and odd inner steps are right", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.cache.num_kv_heads = 1;
  shape.seq_lens = {2054};
  for (int block_n : {1, 7, 16, 33, 64, 600}) check_against_oracle(make_decode_case(shape), {family, 16, block_n});
}

TEST_CASE("bug 16: a context of more partitions than any fixed array holds is not cut", "[kernels][contract]") {
  DecodeShape shape = small_shape();
  shape.cache = {CacheLayout::hnd, ElementType::float16, 0, 8, 1, 8};
  shape.query_heads_per_kv_head = 1;
  shape.seq_lens = {1023 * 8, 1024 * 8, 1025 * 8, 2100 * 8 + 3};
  check_against_oracle(make_decode_case(shape), {"host", 8, 8});
}

TEST_CASE("window, soft-cap, ALiBi and sinks are right alone and together", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const Options options = GENERATE(Options{.window = 1}, Options{.window = 20}, Options{.softcap = 2}, Options{.alibi = true},
                                   Options{.sinks = true},
                                   Options{.alibi = true, .sinks = true, .softcap = 5, .window = 33});
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::hnd);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.query_type = ElementType::float32;
  shape.cache.element_type = ElementType::float32;
  check_against_oracle(make_decode_case(shape), {family, 32, 16}, options);
}

TEST_CASE("bug 25: ALiBi is 0 at the newest token and is applied", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {1, 40};
  DecodeCase item = make_decode_case(shape);
  const DecodeResult plain = run(item, {family, 64, 64});
  const DecodeResult biased = run(item, {family, 64, 64}, {.alibi = true});
  CHECK(plain.lse[0] == biased.lse[0]);
  CHECK(plain.lse[4] != biased.lse[4]);
  item.alibi_slopes.assign(item.alibi_slopes.size(), 0.0F);
  CHECK(run(item, {family, 64, 64}, {.alibi = true}) == plain);
}

TEST_CASE("bugs 3 and 4: a sequence without tokens gives zeros and -inf, sinks or not", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const bool sinks = GENERATE(false, true);
  DecodeShape shape = small_shape();
  shape.seq_lens = {0, 5, 0};
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult result = run(item, {family, 64, 64}, {.sinks = sinks});
  const auto row = static_cast<std::size_t>(item.num_heads() * shape.cache.head_size);
  for (std::size_t e = 0; e < row; ++e) {
    REQUIRE(load_element(result.out.data(), static_cast<std::int64_t>(e), shape.query_type) == 0.0F);
    REQUIRE(load_element(result.out.data(), static_cast<std::int64_t>(2 * row + e), shape.query_type) == 0.0F);
  }
  CHECK(result.lse[0] == -std::numeric_limits<float>::infinity());
}

TEST_CASE("bugs 5 to 7 and 9: what no sequence stores changes no bit of the result", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed);
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::bfloat16,
                                    ElementType::float8_e4m3, ElementType::float8_e5m2);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  shape.seq_lens = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 47};
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult with_nan = run(item, {family, 32, 16});
  for (float filling : {0.0F, 3.5F, -1e30F, std::numeric_limits<float>::infinity()}) {
    fill_unused_slots(item, encode_element(filling, type));
    CHECK(run(item, {family, 32, 16}) == with_nan);
  }
}

TEST_CASE("tokens before the window change no bit of the result", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {100};
  shape.cache.layout = CacheLayout::split_x;
  DecodeCase item = make_decode_case(shape);
  const Options window{.window = 21};
  const DecodeResult before = run(item, {family, 32, 16}, window);
  item.shape.seq_lens = {79};  // the same block table, of which the first 79 tokens lie before the window
  const std::vector<std::int32_t> tables = item.block_tables;
  const PagedCacheView view = item.cache.view();
  for (std::int64_t token = 0; token < 79; ++token) {
    for (std::int64_t e = 0; e < 64; ++e) {
      store_element(view.value.data, view.value.strides.offset(tables[static_cast<std::size_t>(token / 16)], 0, token % 16, e),
                    ElementType::float16, std::numeric_limits<float>::quiet_NaN());
    }
  }
  item.shape.seq_lens = {100};
  for (int block = 0; block < 4; ++block) item.block_tables[static_cast<std::size_t>(block)] = -5;
  CHECK(run(item, {family, 32, 16}, window) == before);
}

TEST_CASE("bug 29: a sequence's result is the same bits alone and in any batch, in any block order", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  if (!attention_families().at(family).traits().batch_invariant) SKIP("the family does not promise it");
  const DecodeShape shape = small_shape();
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult together = run(item, {family, 64, 16});
  const auto row = static_cast<std::size_t>(item.num_heads() * shape.cache.head_size * 2);
  for (std::size_t s = 0; s < shape.seq_lens.size(); ++s) {
    DecodeResult alone = make_result(item);
    PagedAttentionArguments arguments = item.arguments(alone.out.data(), nullptr);
    arguments.shape.num_sequences = 1;
    arguments.query = item.query.data() + s * row;
    arguments.block_tables += static_cast<std::int64_t>(s) * item.max_num_blocks_per_sequence;
    arguments.seq_lens += s;
    paged_attention_v2(arguments, {family, 64, 16});
    CHECK(std::equal(alone.out.begin(), alone.out.begin() + static_cast<std::ptrdiff_t>(row),
                     together.out.begin() + static_cast<std::ptrdiff_t>(s * row)));
  }
}

TEST_CASE("bfloat16 queries up to 1e30 stay within tolerance", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const float size = GENERATE(1e4F, 1e15F, 1e30F);
  DecodeShape shape = small_shape();
  shape.query_type = ElementType::bfloat16;
  shape.cache.element_type = ElementType::bfloat16;
  shape.query_size = size;
  check_against_oracle(make_decode_case(shape), {family, 32, 16});
}

TEST_CASE("bugs 14 and 17: partial buffers are written where the published shape says, and a wrong size is refused",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {130, 16};
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult expected = run(item, {family, 64, 64});
  constexpr std::int64_t partitions = 3;
  const auto rows = static_cast<std::size_t>(item.num_sequences() * item.num_heads() * partitions);
  const float poison = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> sums(rows, poison), maxima(rows, poison), outputs(rows * 64, poison);
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = item.arguments(result.out.data(), result.lse.data());
  arguments.partials = {sums.data(), maxima.data(), outputs.data(), ElementType::float32, partitions};

  paged_attention_v2(arguments, {family, 64, 64});

  CHECK(result == expected);
  CHECK(!std::isnan(sums[2]));
  // The second sequence has one partition; the others stay untouched.
  CHECK(std::isnan(sums[static_cast<std::size_t>(item.num_heads()) * partitions + 1]));
  arguments.partials.max_num_partitions = 4;
  CHECK_THROWS_AS(paged_attention_v2(arguments, {family, 64, 64}), InputError);
}

TEST_CASE("bugs 8, 10 and 11: bad ids and lengths are reported, garbage past the end is not followed", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {32};
  DecodeCase item = make_decode_case(shape);
  item.block_tables[2] = 2147483647;
  CHECK_NOTHROW(run(item, {family, 64, 64}));
  for (std::int32_t id : {-1, 2147483647, static_cast<std::int32_t>(item.cache.geometry().num_blocks)}) {
    const std::int32_t good = item.block_tables[1];
    item.block_tables[1] = id;
    CHECK_THROWS_AS(run(item, {family, 64, 64}), InputError);
    item.block_tables[1] = good;
  }
  item.shape.seq_lens = {static_cast<std::int32_t>(item.max_num_blocks_per_sequence * 16 + 1)};
  CHECK_THROWS_AS(run(item, {family, 64, 64}), InputError);
  item.shape.seq_lens = {-1};
  CHECK_THROWS_AS(run(item, {family, 64, 64}), InputError);
}

TEST_CASE("bug 12: a batch without sequences does nothing, one without heads is refused", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeShape shape = small_shape();
  shape.seq_lens = {};
  const DecodeCase item = make_decode_case(shape);
  CHECK_NOTHROW(run(item, {family, 64, 64}));
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = item.arguments(result.out.data(), nullptr);
  arguments.shape.num_heads = 0;
  CHECK_THROWS_AS(paged_attention_v2(arguments, {family, 64, 64}), InputError);
}

TEST_CASE("bug 22: strided queries and odd base addresses are read as they are", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = make_decode_case(small_shape());
  const DecodeResult expected = run(item, {family, 64, 64});
  const std::size_t row = item.query.size() / item.shape.seq_lens.size();
  for (std::size_t shift : {2, 6, 10}) {
    std::vector<std::byte> padded(2 * item.query.size() + 64);
    for (std::size_t s = 0; s < item.shape.seq_lens.size(); ++s) {
      std::copy_n(item.query.begin() + static_cast<std::ptrdiff_t>(s * row), row,
                  padded.begin() + static_cast<std::ptrdiff_t>(shift + s * (row + 10)));
    }
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = item.arguments(result.out.data(), result.lse.data());
    arguments.query = padded.data() + shift;
    arguments.query_stride = static_cast<std::int64_t>(row + 10) / 2;
    paged_attention_v2(arguments, {family, 64, 64});
    CHECK(result == expected);
  }
}

TEST_CASE("the host family equals the reference on every layout and type", "[kernels][contract]") {
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed);
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::bfloat16,
                                    ElementType::float8_e4m3, ElementType::float8_e5m2);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  shape.cache.head_size = 80;
  shape.query_type = ElementType::float32;
  check_against_oracle(make_decode_case(shape), {"host", 48, 24});
}

}  // namespace
}  // namespace kvarium::test
