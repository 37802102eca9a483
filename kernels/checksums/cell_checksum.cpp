#include "kernels/checksums/cell_checksum.hpp"

#include <cstring>

#include "core/element_conversion.hpp"

namespace kvarium {

namespace {

/// Whether the elements of a head lie side by side.
bool has_whole_halves(const CacheStrides& strides, int head_size) {
  return strides.element == 1 && (strides.group == strides.group_size || strides.group_size >= head_size);
}

}  // namespace

void detail::copy_cell_bytes(const PagedCacheView& cache, std::int64_t block, std::int64_t head, std::int64_t token,
                             std::byte* bytes) {
  const ElementType type = cache.geometry.element_type;
  const std::int64_t head_size = cache.geometry.head_size;
  if (has_whole_halves(cache.key.strides, cache.geometry.head_size) &&
      has_whole_halves(cache.value.strides, cache.geometry.head_size)) {
    const std::int64_t size = element_bytes(type);
    const auto half = static_cast<std::size_t>(head_size * size);
    std::memcpy(bytes, cache.key.data + cache.key.strides.offset(block, head, token, 0) * size, half);
    std::memcpy(bytes + half, cache.value.data + cache.value.strides.offset(block, head, token, 0) * size, half);
    return;
  }
  for (std::int64_t e = 0; e < head_size; ++e) {
    const std::int64_t key = cache.key.strides.offset(block, head, token, e);
    const std::int64_t value = cache.value.strides.offset(block, head, token, e);
    store_element_bits(bytes, e, type, load_element_bits(cache.key.data, key, type));
    store_element_bits(bytes, head_size + e, type, load_element_bits(cache.value.data, value, type));
  }
}

}  // namespace kvarium
