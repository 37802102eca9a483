#include "kernels/checksums/cell_checksum.hpp"

#include "core/element_conversion.hpp"

namespace kvarium {

void detail::copy_cell_bytes(const PagedCacheView& cache, std::int64_t block, std::int64_t head, std::int64_t token,
                             std::byte* bytes) {
  const ElementType type = cache.geometry.element_type;
  const std::int64_t head_size = cache.geometry.head_size;
  for (std::int64_t e = 0; e < head_size; ++e) {
    const std::int64_t key = cache.key.strides.offset(block, head, token, e);
    const std::int64_t value = cache.value.strides.offset(block, head, token, e);
    store_element_bits(bytes, e, type, load_element_bits(cache.key.data, key, type));
    store_element_bits(bytes, head_size + e, type, load_element_bits(cache.value.data, value, type));
  }
}

}  // namespace kvarium
