#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <numeric>

#include "core/element_conversion.hpp"
#include "core/random.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

std::vector<std::string> batch_invariant_families() {
  std::vector<std::string> names = runnable_families();
  std::erase_if(names, [](const auto& name) { return !attention_families().at(name).traits().batch_invariant; });
  return names;
}

/// The case with only the sequences `rows`, in that order.
DecodeCase with_sequences(const DecodeCase& whole, const std::vector<std::size_t>& rows) {
  DecodeCase item = whole;
  const std::size_t query_row = whole.query.size() / whole.shape.seq_lens.size();
  const auto table_row = static_cast<std::size_t>(whole.max_num_blocks_per_sequence);
  item.query.clear();
  item.block_tables.clear();
  item.shape.seq_lens.clear();
  for (std::size_t row : rows) {
    item.query.insert(item.query.end(), &whole.query[row * query_row], &whole.query[row * query_row] + query_row);
    item.block_tables.insert(item.block_tables.end(), &whole.block_tables[row * table_row],
                             &whole.block_tables[row * table_row] + table_row);
    item.shape.seq_lens.push_back(whole.shape.seq_lens[row]);
  }
  return item;
}

/// The result's sequences `rows`, in that order.
DecodeResult with_sequences(const DecodeResult& whole, const std::vector<std::size_t>& rows,
                            std::size_t num_sequences) {
  DecodeResult result;
  const std::size_t out_row = whole.out.size() / num_sequences, lse_row = whole.lse.size() / num_sequences;
  for (std::size_t row : rows) {
    result.out.insert(result.out.end(), &whole.out[row * out_row], &whole.out[row * out_row] + out_row);
    result.lse.insert(result.lse.end(), &whole.lse[row * lse_row], &whole.lse[row * lse_row] + lse_row);
  }
  return result;
}

TEST_CASE("bug 29: a sequence's result is the same bits alone and in any batch", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(batch_invariant_families()));
  const int partition_size = GENERATE(16, 64, 512);
  const DecodeShape shape = small_shape();
  const std::size_t count = shape.seq_lens.size();
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult together = run_decode(item, {family, partition_size, 16});
  std::vector<std::vector<std::size_t>> batches{{8, 7, 6, 5, 4, 3, 2, 1, 0}, {8, 8, 8, 0, 8}, {3, 5}, {4, 8}};
  for (std::size_t row = 0; row < count; ++row) batches.push_back({row});
  for (const std::vector<std::size_t>& rows : batches) {
    const DecodeResult apart = run_decode(with_sequences(item, rows), {family, partition_size, 16});
    CAPTURE(family, partition_size, rows);
    CHECK(apart == with_sequences(together, rows, count));
  }
}

/// The case with its physical block b moved to destination[b] of a cache of `num_blocks` blocks.
DecodeCase with_moved_blocks(const DecodeCase& whole, const std::vector<std::int32_t>& destination,
                             std::int64_t num_blocks) {
  DecodeCase item = whole;
  item.shape.cache.num_blocks = num_blocks;
  item.cache = PagedKvCache(item.shape.cache);
  std::vector<BlockCopy> copies;
  for (std::size_t block = 0; block < destination.size(); ++block) {
    copies.push_back({static_cast<std::int64_t>(block), destination[block]});
  }
  copy_blocks(whole.cache.view(), item.cache.view(), copies);
  for (std::int32_t& id : item.block_tables) {
    if (id >= 0) id = destination[static_cast<std::size_t>(id)];
  }
  return item;
}

TEST_CASE("bug 29: a sequence's result is the same bits for any order of the physical blocks", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(batch_invariant_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const int partition_size = GENERATE(16, 64, 512);
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult expected = run_decode(item, {family, partition_size, 16});
  const std::int64_t num_blocks = 2 * item.cache.geometry().num_blocks;
  std::vector<std::int32_t> destination(static_cast<std::size_t>(num_blocks));
  std::iota(destination.begin(), destination.end(), 0);
  for (std::uint64_t order = 0; order < 5; ++order) {
    CAPTURE(family, to_string(layout), partition_size, order);
    const std::vector<std::int32_t> used(destination.begin(), destination.begin() + num_blocks / 2);
    CHECK(run_decode(with_moved_blocks(item, used, num_blocks), {family, partition_size, 16}) == expected);
    std::shuffle(destination.begin(), destination.end(), CounterRandom({29, order}, 0));
  }
}

TEST_CASE("a sequence of one token gives that token's values exactly", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.num_kv_heads = 1;
  shape.seq_lens = {1};
  const DecodeCase item = make_decode_case(shape);
  const DecodeResult result = run_decode(item, {family, 64, 16});
  const CacheTensor value = item.cache.view().value;
  for (std::int64_t e = 0; e < 2 * 64; ++e) {
    const std::int64_t stored = value.strides.offset(item.block_tables[0], 0, 0, e % 64);
    CAPTURE(family, to_string(layout), e);
    CHECK(load_element(result.out.data(), e, ElementType::float16) ==
          load_element(value.data, stored, ElementType::float16));
  }
}

}  // namespace
}  // namespace kvarium::test
