#include "tests/sim/faulty_batch.hpp"

#include "kernels/cache/cache_operations.hpp"

namespace kvarium::test {
namespace {

constexpr RandomKey key{17, 18};
constexpr int num_layers = 2;
constexpr int num_kv_heads = 2;
constexpr int head_size = 16;

BatchShape batch_shape(const FaultyBatchShape& shape) {
  BatchShape batch;
  batch.num_sequences = static_cast<std::int64_t>(shape.context_lengths.size());
  batch.lengths = ListedLengths{shape.context_lengths};
  batch.shared_prefix_length = shape.shared_prefix_length;
  batch.block_size = shape.block_size;
  // More blocks than are used, so that some belong to nobody.
  batch.num_blocks = 20;
  return batch;
}

SyntheticSettings source_settings(const FaultyBatchShape& shape) {
  SyntheticSettings settings;
  settings.shape = {num_layers, num_kv_heads, 2 * num_kv_heads, head_size};
  settings.key = key;
  settings.shared_prefix_length = shape.shared_prefix_length;
  return settings;
}

}  // namespace

FaultyBatch::FaultyBatch(const FaultyBatchShape& shape)
    : shape_(shape),
      batch_(build_batch(batch_shape(shape), key)),
      source_(source_settings(shape)),
      earlier_(batch_, source_, {key, shape.shared_prefix_length}) {
  const CacheGeometry geometry{shape.layout,     shape.element_type, batch_.num_blocks,
                               shape.block_size, num_kv_heads,       head_size};
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    PagedKvCache cache(geometry);
    // Powers of two that differ: a wrong scale shows.
    cache.key_scale = is_float8(shape.element_type) ? 0.25F : 1.0F;
    cache.value_scale = is_float8(shape.element_type) ? 0.5F : 1.0F;
    fill(cache, layer);
    caches_.push_back(cache);
    views_.push_back(cache.view());
  }
  readers_ = views_;
  read_lengths_ = batch_.seq_lens;
  target_ = std::make_unique<FaultTarget>(attended());
}

void FaultyBatch::fill(PagedKvCache& cache, std::int64_t layer) {
  CounterRandom noise(key, 99 + static_cast<std::uint64_t>(layer));
  for (std::size_t i = 0; i < cache.size_bytes(); ++i) cache.storage()(i) = std::byte(noise() & 0xFFU);
  for (std::int64_t sequence = 0; sequence < batch_.size(); ++sequence) {
    const std::int64_t start = batch_.token_starts[static_cast<std::size_t>(sequence)];
    const std::int64_t tokens = batch_.seq_lens[static_cast<std::size_t>(sequence)];
    std::vector<float> keys(static_cast<std::size_t>(tokens * num_kv_heads * head_size));
    std::vector<float> values(keys.size());
    source_.fill_key({layer, sequence, 0, tokens}, keys.data());
    source_.fill_value({layer, sequence, 0, tokens}, values.data());
    write_cache({keys.data(), values.data(), ElementType::float32, batch_.slot_mapping.data() + start, tokens},
                cache.view());
  }
}

AttendedCache FaultyBatch::attended() {
  return {views_,   batch_.block_tables, batch_.seq_lens.data(), shape_.sliding_window, &earlier_,
          readers_, read_lengths_.data()};
}

std::vector<std::byte> FaultyBatch::bytes() const {
  std::vector<std::byte> all;
  for (const PagedKvCache& cache : caches_) {
    all.insert(all.end(), cache.storage().data(), cache.storage().data() + cache.size_bytes());
  }
  return all;
}

}  // namespace kvarium::test
