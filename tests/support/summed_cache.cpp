#include "tests/support/summed_cache.hpp"

#include <algorithm>
#include <utility>

#include "core/random.hpp"

namespace kvarium::test {

SummedCache::SummedCache(CacheLayout layout, std::uint64_t seed) {
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    caches_.emplace_back(CacheGeometry{layout, ElementType::float16, num_blocks, block_size, num_heads, 32});
  }
  // Cell by cell, so that every layout holds the same.
  CounterRandom random({seed, 0}, 0);
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    for (std::int64_t slot = 0; slot < num_blocks * block_size; ++slot) {
      for (std::int64_t byte = 0; byte < num_heads * cell_bytes; ++byte) {
        at({layer, slot / block_size, slot % block_size, byte / cell_bytes, byte % cell_bytes}) =
            static_cast<std::byte>(random());
      }
    }
  }
}

std::byte& SummedCache::at(const CellByte& place) {
  const PagedCacheView view = caches_[static_cast<std::size_t>(place.layer)].view();
  const CacheTensor& tensor = place.byte < cell_bytes / 2 ? view.key : view.value;
  const std::int64_t byte = place.byte % (cell_bytes / 2);
  return tensor.data[2 * tensor.strides.offset(place.block, place.head, place.token, byte / 2) + byte % 2];
}

void SummedCache::exchange_cells(const CellByte& left, const CellByte& right) {
  for (std::int64_t byte = 0; byte < cell_bytes; ++byte) {
    std::swap(at({left.layer, left.block, left.token, left.head, byte}),
              at({right.layer, right.block, right.token, right.head, byte}));
  }
}

bool SummedCache::has_equal_cells(const SummedCache& other) const {
  const auto is_equal = [](const PagedKvCache& left, const PagedKvCache& right) {
    const std::byte* bytes = left.storage().data();
    return left.geometry() == right.geometry() && std::equal(bytes, bytes + left.size_bytes(), right.storage().data());
  };
  return std::equal(caches_.begin(), caches_.end(), other.caches_.begin(), other.caches_.end(), is_equal);
}

std::vector<CacheLayer> SummedCache::layers(std::int64_t first, std::int64_t last) const {
  std::vector<CacheLayer> layers;
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    PagedCacheView view = caches_[static_cast<std::size_t>(layer)].view();
    view.geometry.num_kv_heads = static_cast<int>(last - first);
    for (CacheTensor* tensor : {&view.key, &view.value}) tensor->data += 2 * first * tensor->strides.kv_head;
    layers.push_back({view, layer, first});
  }
  return layers;
}

std::vector<std::uint64_t> SummedCache::values(const std::string& family, const std::vector<CacheLayer>& layers,
                                               const ChecksumParameters& parameters) {
  const std::vector<std::int64_t> blocks{0, 1, 2, 3}, first{0, 16, 32, 48}, valid(4, 12);
  return checksum_families().at(family).compute(layers, {blocks.data(), first.data(), valid.data(), num_blocks},
                                                parameters);
}

}  // namespace kvarium::test
