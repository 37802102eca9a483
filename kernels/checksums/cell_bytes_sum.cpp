#include "kernels/checksums/cell_bytes_sum.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace kvarium {
namespace {

/// A cell's place in its block.
struct CellPlace {
  std::int64_t block = 0;
  int head = 0;
  std::int64_t token = 0;
};

/// [2 * head_size] elements: K, then V.
std::vector<std::byte> gather_cell(const PagedCacheView& cache, const CellPlace& place) {
  const CacheGeometry& geometry = cache.geometry;
  const auto element = static_cast<std::size_t>(element_bytes(geometry.element_type));
  std::vector<std::byte> cell;
  for (const CacheTensor* tensor : {&cache.key, &cache.value}) {
    for (std::int64_t e = 0; e < geometry.head_size; ++e) {
      const std::int64_t offset = tensor->strides.offset(place.block, place.head, place.token, e);
      const std::byte* first = tensor->data + offset * static_cast<std::int64_t>(element);
      cell.insert(cell.end(), first, first + element);
    }
  }
  return cell;
}

}  // namespace

std::uint64_t cell_bytes_sum(const CacheLayer& layer, const BlockRow& row, int piece_width) {
  const CacheGeometry& geometry = layer.cache.geometry;
  const auto width = static_cast<std::size_t>(piece_width);
  const auto pieces = static_cast<std::uint64_t>(cell_bytes(geometry)) / width;
  const std::int64_t valid = std::clamp<std::int64_t>(row.valid_tokens, 0, geometry.block_size);
  std::uint64_t sum = 0;
  for (int head = 0; head < geometry.num_kv_heads; ++head) {
    const auto global_head = static_cast<std::uint64_t>(layer.layer * heads_per_layer_weight + layer.first_head + head);
    for (std::int64_t token = 0; token < valid; ++token) {
      const std::vector<std::byte> cell = gather_cell(layer.cache, {row.block, head, token});
      for (std::uint64_t p = 0; p < pieces; ++p) {
        std::uint64_t piece = 0;
        std::memcpy(&piece, cell.data() + p * width, width);
        const std::uint64_t position = static_cast<std::uint64_t>(row.first_token + token) * pieces + p;
        sum += (2 * global_head + 1) * (2 * position + 1) * piece;
      }
    }
  }
  return sum;
}

}  // namespace kvarium
