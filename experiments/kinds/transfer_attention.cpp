#include "experiments/kinds/transfer_attention.hpp"

#include <algorithm>

#include "core/element_conversion.hpp"
#include "kernels/attention/attention_family.hpp"

namespace kvarium {

void TransferAttention::attend(const TransferWorld& world, RequestRole request) {
  const std::vector<std::byte> actual = run(world, world.engine(EngineRole::consumer), request, world.reader(request));
  const OutputDifference step =
      compare_outputs(actual, golden(world, request), point_.base.batch.query_type, point_.base.cache.head_size);
  difference_.num_changed_bytes += changed_bytes(world, request);
  difference_.relative_l2 = std::max(difference_.relative_l2, step.relative_l2);
  difference_.is_identical = difference_.is_identical && step.is_identical;
  difference_.has_new_nan = difference_.has_new_nan || step.has_new_nan;
}

const std::vector<std::byte>& TransferAttention::golden(const TransferWorld& world, RequestRole request) {
  const auto known = golden_.find(request);
  if (known != golden_.end()) return known->second;
  const TransferShape& shape = world.shape();
  const std::int64_t size = shape.consumer.block_size;
  const std::int64_t blocks = (shape.num_tokens + size - 1) / size;
  Engine right(shape.consumer, shape, blocks);
  ReaderState reader = world.reader(request);
  reader.table.clear();
  for (std::int32_t block = 0; block < blocks; ++block) reader.table.push_back(block);
  reader.length = static_cast<std::int32_t>(shape.num_tokens);
  reader.key_scale = is_float8(shape.element_type) ? float8_key_scale : 1.0F;
  reader.value_scale = is_float8(shape.element_type) ? float8_value_scale : 1.0F;
  for (std::int64_t token = 0; token < shape.num_tokens; ++token) {
    for (std::int64_t layer = 0; layer < shape.num_layers; ++layer) {
      for (std::int64_t head = 0; head < shape.num_kv_heads; ++head) {
        right.write_cell({layer, head, token / size, token % size},
                         world.contents(request).cell(layer, head, token).data());
      }
    }
  }
  return golden_[request] = run(world, right, request, reader);
}

std::vector<std::byte> TransferAttention::run(const TransferWorld& world, const Engine& engine, RequestRole request,
                                              const ReaderState& reader) const {
  std::vector<std::byte> outputs;
  for (const EngineShard& shard : engine.shards()) {
    for (std::int64_t layer = 0; layer < std::ssize(shard.caches); ++layer) {
      append_layer(world, shard, layer, request, reader, outputs);
    }
  }
  return outputs;
}

void TransferAttention::append_layer(const TransferWorld& world, const EngineShard& shard, std::int64_t layer,
                                     RequestRole request, const ReaderState& reader,
                                     std::vector<std::byte>& outputs) const {
  PagedAttentionArguments arguments;
  arguments.cache = shard.caches[static_cast<std::size_t>(layer)].view();
  arguments.cache.key_scale = reader.key_scale;
  arguments.cache.value_scale = reader.value_scale;
  const CacheGeometry& geometry = arguments.cache.geometry;
  const ElementType query_type = point_.base.batch.query_type;
  arguments.shape = {1,
                     geometry.num_kv_heads * point_.base.cache.query_heads_per_kv_head,
                     std::ssize(reader.table),
                     reader.length,
                     query_type,
                     geometry};
  const std::vector<std::byte> query = this->query(shard.first_layer + layer, shard, world.contents(request));
  std::vector<std::byte> out(query.size());
  arguments.query = query.data();
  arguments.out = out.data();
  arguments.scale = static_cast<float>(contents_.scale);
  arguments.block_tables = reader.table.data();
  arguments.seq_lens = &reader.length;
  paged_attention_v2(arguments, point_.base.variant);
  outputs.insert(outputs.end(), out.begin(), out.end());
}

/// The rank's part of the newest token's query.
std::vector<std::byte> TransferAttention::query(std::int64_t layer, const EngineShard& shard,
                                                const RequestContents& contents) const {
  const CacheConfig& cache = point_.base.cache;
  const std::int64_t row = std::int64_t{cache.num_kv_heads} * cache.query_heads_per_kv_head * cache.head_size;
  std::vector<float> whole(static_cast<std::size_t>(row));
  contents_.source->fill_query({layer, contents.sequence(), point_.base.batch.context_length - 1, 1}, whole.data());
  const std::int64_t of_head = std::int64_t{cache.query_heads_per_kv_head} * cache.head_size;
  const std::int64_t first = shard.first_head * of_head;
  const std::int64_t count = shard.caches.front().geometry().num_kv_heads * of_head;
  const ElementType type = point_.base.batch.query_type;
  std::vector<std::byte> stored(static_cast<std::size_t>(count * element_bytes(type)));
  for (std::int64_t i = 0; i < count; ++i) {
    store_element(stored.data(), i, type, whole[static_cast<std::size_t>(first + i)]);
  }
  return stored;
}

std::int64_t TransferAttention::changed_bytes(const TransferWorld& world, RequestRole request) {
  const Engine& engine = world.engine(EngineRole::consumer);
  const ReaderState& reader = world.reader(request);
  const TransferShape& shape = world.shape();
  std::vector<std::byte> found(static_cast<std::size_t>(cell_bytes(engine.addressing().geometry)));
  std::int64_t changed = 0;
  for (std::int64_t token = 0; token < std::min<std::int64_t>(reader.length, shape.num_tokens); ++token) {
    const std::int64_t block = reader.table[static_cast<std::size_t>(token / engine.block_size())];
    for (std::int64_t layer = 0; layer < shape.num_layers; ++layer) {
      for (std::int64_t head = 0; head < shape.num_kv_heads; ++head) {
        engine.read_cell({layer, head, block, token % engine.block_size()}, found.data());
        const std::span<const std::byte> right = world.contents(request).cell(layer, head, token);
        for (std::size_t byte = 0; byte < found.size(); ++byte) changed += found[byte] != right[byte];
      }
    }
  }
  return changed;
}

bool TransferAttention::has_arrived(const Engine& engine, RequestRole request, std::int64_t num_tokens) {
  const CacheAddressing& addressing = engine.addressing();
  const std::vector<BlockId>& table = engine.table(request);
  for (std::int64_t token = 0; token < num_tokens; ++token) {
    const std::int64_t block = table[static_cast<std::size_t>(token / engine.block_size())].value();
    for (std::int64_t layer = 0; layer < std::ssize(addressing.key_buffers); ++layer) {
      for (std::int64_t head = 0; head < std::ssize(addressing.head_slots); ++head) {
        if (!engine.has_arrived({layer, head, block, token % engine.block_size()})) return false;
      }
    }
  }
  return true;
}

}  // namespace kvarium
