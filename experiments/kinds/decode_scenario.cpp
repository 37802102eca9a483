#include "experiments/kinds/decode_scenario.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/element_conversion.hpp"
#include "experiments/config/batch_lengths.hpp"
#include "kernels/cache/cache_operations.hpp"

namespace kvarium {
namespace {

BatchShape batch_shape(const PointConfig& point) {
  BatchShape shape;
  shape.num_sequences = point.base.batch.num_sequences;
  shape.lengths = batch_lengths(point.base.batch);
  shape.shared_prefix_length = point.base.batch.shared_prefix_length;
  shape.block_size = point.base.cache.block_size;
  shape.fragmentation = point.base.batch.fragmentation;
  return shape;
}

/// Slopes 2^(-8 (h+1) / heads). Source: Press, Smith, Lewis, "Train short, test long", 2022, section 3.
std::vector<float> alibi_slopes(int num_heads) {
  std::vector<float> slopes;
  for (int head = 0; head < num_heads; ++head) {
    slopes.push_back(static_cast<float>(std::exp2(-8.0 * (head + 1) / num_heads)));
  }
  return slopes;
}

/// Largest finite value of an fp8 type.
float largest_value(ElementType type) { return type == ElementType::float8_e4m3 ? 448.0F : 57344.0F; }

/// Makes keys and values of many tokens at once: contents depend on the token alone, so threads share them out.
void fill_tokens(const KvContentSource& source, const TokenRange& range, std::int64_t row, float* key, float* value) {
  constexpr std::int64_t tokens_of_thread = 64;
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  const HostExecution execution;
  const std::int64_t parts = (range.num_tokens + tokens_of_thread - 1) / tokens_of_thread;
  Kokkos::parallel_for("kvarium::DecodeScenario::fill_tokens", Policy(execution, 0, parts), [&](std::int64_t part) {
    const std::int64_t begin = part * tokens_of_thread;
    const std::int64_t count = std::min(tokens_of_thread, range.num_tokens - begin);
    const TokenRange own{range.layer, range.sequence, range.first_token + begin, count};
    source.fill_key(own, key + begin * row);
    source.fill_value(own, value + begin * row);
  });
  execution.fence();
}

float largest_magnitude(const std::vector<float>& values) {
  float largest = 0;
  for (float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

ChecksumRows StoredBlocks::rows() const {
  return {block_ids.data(), first_tokens.data(), valid_tokens.data(), static_cast<std::int64_t>(block_ids.size()),
          token_ids.data()};
}

DecodeScenario::DecodeScenario(const PointConfig& point, const RandomKey& key)
    : point_(point), contents_(open_contents(point, key)), batch_(build_batch(batch_shape(point), key)) {
  const CacheConfig& cache = point.base.cache;
  const CacheGeometry geometry{cache.layout,     cache.element_type, batch_.num_blocks,
                               cache.block_size, cache.num_kv_heads, cache.head_size};
  const int num_heads = cache.num_kv_heads * cache.query_heads_per_kv_head;
  if (point.base.batch.alibi) alibi_slopes_ = alibi_slopes(num_heads);
  if (point.base.batch.sinks) sinks_.assign(static_cast<std::size_t>(num_heads), 0.0F);
  for (std::int64_t layer = 0; layer < cache.num_layers; ++layer) {
    caches_.emplace_back(geometry);
    choose_scales(layer);
    for (std::int64_t sequence = 0; sequence < batch_.size(); ++sequence) write_sequence(layer, sequence);
    write_queries(layer);
  }
  for (const PagedKvCache& filled : caches_) views_.push_back(filled.view());
}

/// fp8 scales from the largest magnitude of the first sequence; what is larger elsewhere saturates, as in engines
/// whose scales are calibrated beforehand.
void DecodeScenario::choose_scales(std::int64_t layer) {
  if (!is_float8(point_.base.cache.element_type) || batch_.size() == 0 || batch_.seq_lens[0] == 0) return;
  const ContentShape shape = contents_.source->shape();
  std::vector<float> values(static_cast<std::size_t>(batch_.seq_lens[0]) *
                            static_cast<std::size_t>(shape.num_kv_heads * shape.head_size));
  const TokenRange range{layer, 0, 0, batch_.seq_lens[0]};
  PagedKvCache& cache = caches_[static_cast<std::size_t>(layer)];
  const float largest = largest_value(point_.base.cache.element_type);
  contents_.source->fill_key(range, values.data());
  cache.key_scale = std::max(largest_magnitude(values) / largest, 1e-6F);
  contents_.source->fill_value(range, values.data());
  cache.value_scale = std::max(largest_magnitude(values) / largest, 1e-6F);
}

/// Writes one sequence's tokens through the same path an engine would, a few blocks at a time.
void DecodeScenario::write_sequence(std::int64_t layer, std::int64_t sequence) {
  constexpr std::int64_t tokens_at_once = 4096;
  const ContentShape shape = contents_.source->shape();
  const std::int64_t row = std::int64_t{shape.num_kv_heads} * shape.head_size;
  std::vector<float> key(static_cast<std::size_t>(tokens_at_once * row)), value(key.size());
  const std::int64_t start = batch_.token_starts[static_cast<std::size_t>(sequence)];
  const std::int64_t length = batch_.seq_lens[static_cast<std::size_t>(sequence)];
  for (std::int64_t first = 0; first < length; first += tokens_at_once) {
    const std::int64_t count = std::min(tokens_at_once, length - first);
    fill_tokens(*contents_.source, {layer, sequence, first, count}, row, key.data(), value.data());
    const NewTokens tokens{key.data(), value.data(), ElementType::float32, batch_.slot_mapping.data() + start + first,
                           count};
    write_cache(tokens, caches_[static_cast<std::size_t>(layer)].view());
  }
}

/// The query of each sequence's newest token.
void DecodeScenario::write_queries(std::int64_t layer) {
  const ContentShape shape = contents_.source->shape();
  const std::int64_t row = std::int64_t{shape.num_heads} * shape.head_size;
  std::vector<float> query(static_cast<std::size_t>(row));
  std::vector<std::byte> stored(output_bytes());
  for (std::int64_t sequence = 0; sequence < batch_.size(); ++sequence) {
    const std::int64_t newest = std::max(batch_.seq_lens[static_cast<std::size_t>(sequence)] - 1, 0);
    contents_.source->fill_query({layer, sequence, newest, 1}, query.data());
    for (std::int64_t i = 0; i < row; ++i) {
      store_element(stored.data(), sequence * row + i, point_.base.batch.query_type,
                    query[static_cast<std::size_t>(i)]);
    }
  }
  queries_.push_back(std::move(stored));
}

std::size_t DecodeScenario::output_bytes() const {
  const CacheConfig& cache = point_.base.cache;
  return static_cast<std::size_t>(batch_.size() * cache.num_kv_heads * cache.query_heads_per_kv_head * cache.head_size *
                                  element_bytes(point_.base.batch.query_type));
}

std::int64_t DecodeScenario::kv_bytes() const {
  const StoredBlocks stored = stored_blocks();
  std::int64_t tokens = 0;
  for (std::int64_t valid : stored.valid_tokens) tokens += valid;
  const CacheGeometry& geometry = views_.front().geometry;
  return tokens * geometry.num_kv_heads * cell_bytes(geometry) * static_cast<std::int64_t>(views_.size());
}

std::vector<std::vector<PagedKvCache>> DecodeScenario::working_set(std::int64_t bytes) const {
  std::vector<std::vector<PagedKvCache>> copies{caches_};
  std::int64_t held = 0;
  for (const PagedKvCache& cache : caches_) held += static_cast<std::int64_t>(cache.size_bytes());
  while (held * static_cast<std::int64_t>(copies.size()) < bytes) {
    std::vector<PagedKvCache> copy;
    for (const PagedKvCache& cache : caches_) copy.push_back(deep_copy(cache));
    copies.push_back(std::move(copy));
  }
  return copies;
}

PagedAttentionArguments DecodeScenario::arguments(std::int64_t layer) const {
  const CacheConfig& cache = point_.base.cache;
  const BatchConfig& batch = point_.base.batch;
  PagedAttentionArguments arguments;
  arguments.cache = views_[static_cast<std::size_t>(layer)];
  arguments.shape = {batch_.size(),
                     cache.num_kv_heads * cache.query_heads_per_kv_head,
                     static_cast<std::int64_t>(batch_.block_tables.extent(1)),
                     batch_.max_seq_len(),
                     batch.query_type,
                     arguments.cache.geometry};
  arguments.query = queries_[static_cast<std::size_t>(layer)].data();
  arguments.scale = static_cast<float>(contents_.scale);
  arguments.block_tables = batch_.block_tables.data();
  arguments.seq_lens = batch_.seq_lens.data();
  arguments.alibi_slopes = alibi_slopes_.empty() ? nullptr : alibi_slopes_.data();
  arguments.softcap = static_cast<float>(batch.softcap);
  arguments.sliding_window = batch.sliding_window;
  arguments.sinks = sinks_.empty() ? nullptr : sinks_.data();
  return arguments;
}

std::vector<CacheLayer> DecodeScenario::checksum_layers() const {
  std::vector<CacheLayer> layers;
  for (const PagedCacheView& view : views_) layers.push_back({view, static_cast<std::int64_t>(layers.size()), 0});
  return layers;
}

StoredBlocks DecodeScenario::stored_blocks() const {
  StoredBlocks stored;
  std::set<std::int32_t> seen;
  const std::int64_t block_size = batch_.block_size;
  for (std::int64_t sequence = 0; sequence < batch_.size(); ++sequence) {
    for (std::int64_t block = 0; block < batch_.num_sequence_blocks(sequence); ++block) {
      const std::int32_t id = batch_.block_tables(static_cast<std::size_t>(sequence), static_cast<std::size_t>(block));
      if (!seen.insert(id).second) continue;
      const std::int64_t length = batch_.seq_lens[static_cast<std::size_t>(sequence)];
      stored.block_ids.push_back(id);
      stored.first_tokens.push_back(block * block_size);
      stored.valid_tokens.push_back(std::min(block_size, length - block * block_size));
      const std::int64_t first = batch_.token_starts[static_cast<std::size_t>(sequence)] + block * block_size;
      for (std::int64_t token = 0; token < block_size; ++token) {
        const bool is_valid = token < stored.valid_tokens.back();
        stored.token_ids.push_back(is_valid ? batch_.token_ids[static_cast<std::size_t>(first + token)] : 0);
      }
    }
  }
  return stored;
}

}  // namespace kvarium
