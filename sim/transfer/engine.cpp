#include "sim/transfer/engine.hpp"

#include <algorithm>
#include <cstring>

#include "core/rounding.hpp"

namespace kvarium {
namespace {

EngineShard make_shard(const EngineShape& engine, const TransferShape& shape, const CacheGeometry& geometry,
                       std::int64_t number) {
  EngineShard shard;
  const std::int64_t layers = shape.num_layers / engine.pipeline_ranks;
  shard.first_layer = number / engine.tensor_ranks * layers;
  shard.first_head = number % engine.tensor_ranks * geometry.num_kv_heads;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    shard.caches.emplace_back(geometry, "kvarium::Engine::cache");
    shard.arrived.emplace_back(shard.caches.back().size_bytes(), std::uint8_t{0});
  }
  return shard;
}

}  // namespace

Engine::Engine(const EngineShape& engine, const TransferShape& shape, std::int64_t num_blocks)
    : addressing_(cache_addressing(engine, shape, num_blocks)), pool_(num_blocks) {
  for (std::int64_t shard = 0; shard < engine.pipeline_ranks * engine.tensor_ranks; ++shard) {
    shards_.push_back(make_shard(engine, shape, addressing_.geometry, shard));
  }
}

std::int64_t Engine::blocks_of(std::int64_t num_tokens) const { return divide_up(num_tokens, block_size()); }

const ByteView& Engine::storage(const MemoryPlace& place) const {
  return shards_[static_cast<std::size_t>(place.shard)].caches[static_cast<std::size_t>(place.buffer)].storage();
}

bool Engine::contains(const MemoryPlace& place, std::int64_t bytes) const {
  if (place.shard < 0 || place.shard >= std::ssize(shards_)) return false;
  const EngineShard& shard = shards_[static_cast<std::size_t>(place.shard)];
  if (place.buffer < 0 || place.buffer >= std::ssize(shard.caches)) return false;
  return place.offset >= 0 && place.offset + bytes <= static_cast<std::int64_t>(storage(place).extent(0));
}

template <class Visitor>
void Engine::for_each_element(const EngineCell& cell, const Visitor& visit) const {
  const std::int64_t head_size = addressing_.geometry.head_size;
  for (const KvTensor tensor : {KvTensor::key, KvTensor::value}) {
    for (std::int64_t element = 0; element < head_size; ++element) {
      const std::int64_t index = (tensor == KvTensor::key ? 0 : head_size) + element;
      visit(index, addressing_.place({cell.layer, tensor, cell.head, cell.block, cell.token, element}));
    }
  }
}

void Engine::write_cell(const EngineCell& cell, const std::byte* bytes) {
  const auto size = static_cast<std::size_t>(element_bytes(addressing_.geometry.element_type));
  for_each_element(cell, [&](std::int64_t index, const MemoryPlace& place) {
    std::memcpy(storage(place).data() + place.offset, bytes + static_cast<std::size_t>(index) * size, size);
  });
}

void Engine::read_cell(const EngineCell& cell, std::byte* bytes) const {
  const auto size = static_cast<std::size_t>(element_bytes(addressing_.geometry.element_type));
  for_each_element(cell, [&](std::int64_t index, const MemoryPlace& place) {
    std::memcpy(bytes + static_cast<std::size_t>(index) * size, storage(place).data() + place.offset, size);
  });
}

void Engine::forget_arrivals(BlockId block) {
  const CacheGeometry& geometry = addressing_.geometry;
  const auto heads = static_cast<std::int64_t>(addressing_.head_slots.size());
  const auto layers = static_cast<std::int64_t>(addressing_.key_buffers.size());
  const int size = element_bytes(geometry.element_type);
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    for (std::int64_t head = 0; head < heads; ++head) {
      for (std::int64_t token = 0; token < geometry.block_size; ++token) {
        for_each_element({layer, head, block.value(), token}, [&](std::int64_t, const MemoryPlace& place) {
          auto& arrived =
              shards_[static_cast<std::size_t>(place.shard)].arrived[static_cast<std::size_t>(place.buffer)];
          std::fill_n(arrived.begin() + place.offset, size, std::uint8_t{0});
        });
      }
    }
  }
}

void Engine::mark_arrival(const MemoryPlace& place, std::int64_t bytes) {
  auto& arrived = shards_[static_cast<std::size_t>(place.shard)].arrived[static_cast<std::size_t>(place.buffer)];
  std::fill_n(arrived.begin() + place.offset, bytes, std::uint8_t{1});
}

bool Engine::has_arrived(const EngineCell& cell) const {
  bool has_all = true;
  for_each_element(cell, [&](std::int64_t, const MemoryPlace& place) {
    const auto& arrived =
        shards_[static_cast<std::size_t>(place.shard)].arrived[static_cast<std::size_t>(place.buffer)];
    has_all = has_all && arrived[static_cast<std::size_t>(place.offset)] != 0;
  });
  return has_all;
}

}  // namespace kvarium
