#include "kernels/attention/cuda/cache_alignment.hpp"

#include <cstdint>

#include "core/check.hpp"
#include "core/element_type.hpp"

namespace kvarium {
namespace {

/// Ones in the bits in which a tensor's addresses differ from multiples of a power of two.
std::uintptr_t address_bits(const CacheTensor& tensor, ElementType type, bool is_token_innermost) {
  const CacheStrides& strides = tensor.strides;
  const std::int64_t token = is_token_innermost ? 0 : strides.token;
  const std::int64_t distances = (strides.block | strides.kv_head | token | strides.group) * element_bytes(type);
  return reinterpret_cast<std::uintptr_t>(tensor.data) | static_cast<std::uintptr_t>(distances);
}

}  // namespace

bool has_aligned_pieces(const PagedCacheView& cache, int piece_bytes) {
  const ElementType type = cache.geometry.element_type;
  const std::uintptr_t bits = address_bits(cache.key, type, false) |
                              address_bits(cache.value, type, cache.geometry.layout == CacheLayout::split_x);
  return bits % static_cast<std::uintptr_t>(piece_bytes) == 0;
}

void validate_whole_pieces(const PagedCacheView& cache) {
  if (cache.geometry.layout != CacheLayout::split_x) return;
  const std::int64_t group = 16 / element_bytes(cache.geometry.element_type);
  KVARIUM_VALIDATE(cache.key.strides.token == group && cache.value.strides.token == 1,
                   "tokens of the split_x cache lie ", cache.key.strides.token, " (K) and ", cache.value.strides.token,
                   " (V) elements apart; use ", group, " and 1, or family v2_faithful, which takes any");
}

}  // namespace kvarium
