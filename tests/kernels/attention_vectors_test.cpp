#include "tests/support/attention_vectors.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>

#include "core/element_conversion.hpp"
#include "core/paged_kv_cache.hpp"
#include "kernels/attention/attention_family.hpp"
#include "tests/support/attend.hpp"
#include "tests/support/attention_oracle.hpp"

namespace kvarium::test {
namespace {

/// Copies a vector's caches into `layout`, element by element; the values are exact in every type tested.
PagedKvCache cache_of(const AttentionVector& item, CacheLayout layout, ElementType type) {
  PagedKvCache cache({layout, type, item.num_blocks, item.block_size, item.num_kv_heads, item.head_size});
  const PagedCacheView view = cache.view();
  for (std::int64_t block = 0; block < item.num_blocks; ++block) {
    for (std::int64_t head = 0; head < item.num_kv_heads; ++head) {
      const std::int64_t slab = (block * item.num_kv_heads + head) * item.head_size * item.block_size;
      for (std::int64_t e = 0; e < item.head_size; ++e) {
        for (std::int64_t token = 0; token < item.block_size; ++token) {
          const std::int64_t key = slab + (e / item.x * item.block_size + token) * item.x + e % item.x;
          store_element(view.key.data, view.key.strides.offset(block, head, token, e), type,
                        item.key_cache[static_cast<std::size_t>(key)]);
          store_element(view.value.data, view.value.strides.offset(block, head, token, e), type,
                        item.value_cache[static_cast<std::size_t>(slab + e * item.block_size + token)]);
        }
      }
    }
  }
  return cache;
}

std::vector<std::byte> encode(const std::vector<float>& values, ElementType type) {
  std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(element_bytes(type)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_element(bytes.data(), static_cast<std::int64_t>(i), type, values[i]);
  }
  return bytes;
}

std::int32_t longest(const AttentionVector& item) {
  return *std::max_element(item.seq_lens.begin(), item.seq_lens.end());
}

/// Runs one case and compares output and LSE with the expectation.
void check_case(const AttentionVector& item, CacheLayout layout, ElementType type, const AttentionVariant& variant) {
  CAPTURE(item.name, to_string(layout), to_string(type), variant.family, variant.partition_size);
  const PagedKvCache cache = cache_of(item, layout, type);
  const auto query = encode(item.query, type);
  std::vector<std::byte> out(query.size(), std::byte{0xEE});
  std::vector<float> lse(item.expected_lse.size(), 99.0F);
  PagedAttentionArguments arguments;
  arguments.shape = {item.num_sequences, item.num_heads, item.max_num_blocks_per_sequence,
                     longest(item),      type,           cache.geometry()};
  arguments.out = out.data();
  arguments.query = query.data();
  arguments.cache = cache.view();
  arguments.scale = static_cast<float>(item.scale);
  arguments.block_tables = item.block_tables.data();
  arguments.seq_lens = item.seq_lens.data();
  arguments.alibi_slopes = item.alibi_slopes.empty() ? nullptr : item.alibi_slopes.data();
  arguments.softcap = static_cast<float>(item.softcap);
  arguments.sliding_window = item.sliding_window;
  arguments.lse = lse.data();
  if (attention_families().at(variant.family).refusal(arguments.shape, variant)) return;

  attend(arguments, variant);

  const WorstRow worst = worst_row(out.data(), type, item.expected_output, item.head_size);
  CAPTURE(worst);
  CHECK(worst.error <= tolerance(type));
  for (std::size_t i = 0; i < lse.size(); ++i) {
    const auto actual = static_cast<double>(lse[i]);
    const bool close = actual == item.expected_lse[i] ||
                       std::abs(actual - item.expected_lse[i]) <= 1e-5 * (1 + std::abs(item.expected_lse[i]));
    CAPTURE(i, actual, item.expected_lse[i]);
    CHECK(close);
  }
}

TEST_CASE("every family reproduces every attention vector in every layout, type and partition size",
          "[kernels][attention][vectors]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed);
  const auto cases = attention_vectors();
  REQUIRE(cases.size() == 8);
  for (const AttentionVector& item : cases) {
    const int beyond = (longest(item) / 256 + 1) * 256;
    for (int partition_size : {64, 512, beyond}) {
      for (ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
        check_case(item, layout, type, {family, partition_size, 64});
      }
    }
  }
}

}  // namespace
}  // namespace kvarium::test
