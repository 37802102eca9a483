#include "tests/support/random_cache.hpp"

#include <algorithm>
#include <numeric>

#include "core/element_conversion.hpp"
#include "core/random.hpp"

namespace kvarium::test {
namespace {

std::int64_t blocks_of(std::int64_t tokens, int block_size) { return (tokens + block_size - 1) / block_size; }

void fill_normal(void* data, std::int64_t count, ElementType type, float size, CounterRandom random) {
  for (std::int64_t i = 0; i < count; ++i) {
    store_element(data, i, type, size * static_cast<float>(random.normal()));
  }
}

std::vector<float> normal_values(std::int64_t count, CounterRandom random) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

std::vector<std::int32_t> shuffled_blocks(std::int64_t count, CounterRandom random) {
  std::vector<std::int32_t> blocks(static_cast<std::size_t>(count));
  std::iota(blocks.begin(), blocks.end(), 0);
  for (std::size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[random.below(i)]);
  return blocks;
}

std::vector<bool> used_slots(const DecodeCase& item) {
  const int block_size = item.shape.cache.block_size;
  std::vector<bool> used(static_cast<std::size_t>(item.cache.geometry().num_blocks * block_size), false);
  for (std::size_t s = 0; s < item.shape.seq_lens.size(); ++s) {
    for (std::int64_t token = 0; token < item.shape.seq_lens[s]; ++token) {
      const std::int64_t entry = static_cast<std::int64_t>(s) * item.max_num_blocks_per_sequence + token / block_size;
      const std::int64_t block = item.block_tables[static_cast<std::size_t>(entry)];
      used[static_cast<std::size_t>(block * block_size + token % block_size)] = true;
    }
  }
  return used;
}

/// Fills K and V of all heads of one slot.
void fill_cell_by(const PagedCacheView& view, std::int64_t slot, const std::function<std::uint32_t()>& next_bits) {
  const CacheGeometry& geometry = view.geometry;
  for (const CacheTensor* tensor : {&view.key, &view.value}) {
    for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
      for (std::int64_t e = 0; e < geometry.head_size; ++e) {
        const std::int64_t offset =
            tensor->strides.offset(slot / geometry.block_size, head, slot % geometry.block_size, e);
        store_element_bits(tensor->data, offset, geometry.element_type, next_bits());
      }
    }
  }
}

std::vector<std::int32_t> make_tables(const DecodeCase& item, CounterRandom random) {
  const std::vector<std::int32_t> blocks = shuffled_blocks(item.shape.cache.num_blocks, random);
  constexpr std::int32_t garbage = -77;
  std::vector<std::int32_t> tables(
      static_cast<std::size_t>(item.num_sequences() * item.max_num_blocks_per_sequence), garbage);
  std::size_t next = 0;
  for (std::size_t s = 0; s < item.shape.seq_lens.size(); ++s) {
    for (std::int64_t b = 0; b < blocks_of(item.shape.seq_lens[s], item.shape.cache.block_size); ++b) {
      tables[s * static_cast<std::size_t>(item.max_num_blocks_per_sequence) + static_cast<std::size_t>(b)] =
          blocks[next++];
    }
  }
  return tables;
}

}  // namespace

DecodeCase make_decode_case(DecodeShape shape) {
  std::int64_t needed = 0;
  std::int64_t longest = 0;
  for (std::int32_t length : shape.seq_lens) {
    needed += blocks_of(length, shape.cache.block_size);
    longest = std::max(longest, blocks_of(length, shape.cache.block_size));
  }
  if (shape.cache.num_blocks == 0) shape.cache.num_blocks = needed + 3;
  DecodeCase item{PagedKvCache(shape.cache), shape, longest + 2, {}, {}, {}, {}};
  const RandomKey key{shape.seed, 0};
  fill_normal(item.cache.storage().data(),
              static_cast<std::int64_t>(item.cache.size_bytes()) / element_bytes(shape.cache.element_type),
              shape.cache.element_type, 1.0F, CounterRandom(key, 0));
  const std::int64_t query_elements = item.num_sequences() * item.num_heads() * shape.cache.head_size;
  item.query.resize(static_cast<std::size_t>(query_elements * element_bytes(shape.query_type)));
  fill_normal(item.query.data(), query_elements, shape.query_type, shape.query_size, CounterRandom(key, 1));
  item.block_tables = make_tables(item, CounterRandom(key, 2));
  item.alibi_slopes = normal_values(item.num_heads(), CounterRandom(key, 3));
  item.sinks = normal_values(item.num_heads(), CounterRandom(key, 4));
  fill_unused_slots(item, encode_element(std::numeric_limits<float>::quiet_NaN(), shape.cache.element_type));
  return item;
}

void fill_cell(const PagedCacheView& view, std::int64_t slot, std::uint32_t bits) {
  fill_cell_by(view, slot, [bits] { return bits; });
}

void fill_unused_slots_by(const DecodeCase& item, const std::function<std::uint32_t()>& next_bits) {
  const std::vector<bool> used = used_slots(item);
  for (std::size_t slot = 0; slot < used.size(); ++slot) {
    if (!used[slot]) fill_cell_by(item.cache.view(), static_cast<std::int64_t>(slot), next_bits);
  }
}

void fill_unused_slots(const DecodeCase& item, std::uint32_t bits) {
  fill_unused_slots_by(item, [bits] { return bits; });
}

PagedAttentionArguments DecodeCase::arguments(void* out, float* lse) const {
  PagedAttentionArguments arguments;
  const std::int64_t longest =
      shape.seq_lens.empty() ? 0 : *std::max_element(shape.seq_lens.begin(), shape.seq_lens.end());
  arguments.shape = {num_sequences(), num_heads(), max_num_blocks_per_sequence, longest, shape.query_type, shape.cache};
  arguments.out = out;
  arguments.query = query.data();
  arguments.cache = cache.view();
  arguments.scale = 1.0F / std::sqrt(static_cast<float>(shape.cache.head_size));
  arguments.block_tables = block_tables.data();
  arguments.seq_lens = shape.seq_lens.data();
  arguments.lse = lse;
  return arguments;
}

DecodeResult make_result(const DecodeCase& item) {
  DecodeResult result;
  // Whatever is not written is seen.
  result.out.resize(item.query.size(), std::byte{0xEE});
  result.lse.resize(static_cast<std::size_t>(item.num_sequences() * item.num_heads()), -1234.5F);
  return result;
}

}  // namespace kvarium::test
