#include "sim/faults/earlier_caches.hpp"

#include <cstring>

#include "core/element_conversion.hpp"

namespace kvarium {
namespace {

/// Fills rows [block_size, num_kv_heads, head_size] with a block of one tensor, each element times the scale.
void fill_rows(const PagedCacheView& cache, const CacheTensor& tensor, std::int64_t block, float scale, float* rows) {
  const CacheGeometry& geometry = cache.geometry;
  const int bytes = element_bytes(geometry.element_type);
  for (std::int64_t token = 0; token < geometry.block_size; ++token) {
    for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
      for (std::int64_t element = 0; element < geometry.head_size; ++element) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, tensor.data + tensor.strides.offset(block, head, token, element) * bytes,
                    static_cast<std::size_t>(bytes));
        *rows++ = decode_element(bits, geometry.element_type) * scale;
      }
    }
  }
}

}  // namespace

bool EarlierCaches::fill(const LayerBlock& place, float* key, float* value) const {
  if (place.layer < 0 || place.layer >= std::ssize(layers_)) return false;
  const PagedCacheView& cache = layers_[static_cast<std::size_t>(place.layer)];
  if (place.block < 0 || place.block >= cache.geometry.num_blocks) return false;
  fill_rows(cache, cache.key, place.block, cache.key_scale, key);
  fill_rows(cache, cache.value, place.block, cache.value_scale, value);
  return true;
}

}  // namespace kvarium
