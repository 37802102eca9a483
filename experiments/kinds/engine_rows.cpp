#include "experiments/kinds/engine_rows.hpp"

#include <algorithm>

namespace kvarium {

ChecksumRows EngineRows::rows() const {
  return {block_ids.data(), first_tokens.data(), valid_tokens.data(), size(), token_ids.data()};
}

void EngineRows::add(std::int64_t block, std::int64_t position, std::int64_t valid, const RequestContents& contents,
                     std::int64_t block_size) {
  block_ids.push_back(block);
  first_tokens.push_back(position * block_size);
  valid_tokens.push_back(std::clamp<std::int64_t>(valid, 0, block_size));
  const std::vector<std::int64_t>& ids = contents.token_ids();
  for (std::int64_t token = position * block_size; token < (position + 1) * block_size; ++token) {
    token_ids.push_back(token < std::ssize(ids) ? ids[static_cast<std::size_t>(token)] : 0);
  }
}

std::vector<CacheLayer> cache_layers(const Engine& engine) {
  std::vector<CacheLayer> layers;
  for (const EngineShard& shard : engine.shards()) {
    std::int64_t layer = shard.first_layer;
    for (const PagedKvCache& cache : shard.caches) layers.push_back({cache.view(), layer++, shard.first_head});
  }
  return layers;
}

EngineRows engine_rows(const TransferWorld& world, EngineRole role, RequestRole request, CheckPoint point) {
  const Engine& engine = world.engine(role);
  const bool is_step = point == CheckPoint::step;
  std::vector<std::int64_t> table;
  if (is_step) {
    for (const std::int32_t block : world.reader(request).table) table.push_back(block);
  } else {
    for (const BlockId block : engine.table(request)) table.push_back(block.value());
  }
  const std::int64_t length = is_step ? world.reader(request).length : world.length(request);
  EngineRows rows;
  for (std::int64_t row = 0; row < std::ssize(table); ++row) {
    rows.add(table[static_cast<std::size_t>(row)], row, length - row * engine.block_size(), world.contents(request),
             engine.block_size());
  }
  return rows;
}

}  // namespace kvarium
