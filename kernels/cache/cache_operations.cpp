#include "kernels/cache/cache_operations.hpp"

#include <Kokkos_Core.hpp>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/element_conversion.hpp"
#include "core/paged_kv_cache.hpp"
#include "kernels/cache/dense_rows.hpp"

namespace kvarium {
namespace {

/// One token's place in a cache.
struct Slot {
  std::int64_t block = 0;
  std::int64_t offset = 0;
};

Slot slot_of(const CacheGeometry& geometry, std::int64_t slot, const char* what, std::int64_t index) {
  const std::int64_t num_slots = geometry.num_blocks * geometry.block_size;
  KVARIUM_VALIDATE(slot < num_slots, what, "[", index, "] is ", slot, "; use 0 to ", num_slots - 1,
                   " (num_blocks * block_size - 1), or -1 for padding");
  return {slot / geometry.block_size, slot % geometry.block_size};
}

/// Bits of one new element in the cache's type: equal types copy, fp8 divides by the scale. Of a NaN only the sign is
/// kept: what arithmetic makes of its payload differs between processors.
std::uint32_t convert_bits(std::uint32_t bits, ElementType from, ElementType to, float scale) {
  if (from == to) return bits;
  const float value = decode_element(bits, from);
  const float quiet_nan = std::copysign(std::numeric_limits<float>::quiet_NaN(), value);
  return encode_element(std::isnan(value) ? quiet_nan : value / scale, to);
}

void write_token(const void* source, const NewTokens& tokens, std::int64_t token, const Slot& slot,
                 const PagedCacheView& cache, std::int64_t head, bool is_key) {
  const CacheGeometry& geometry = cache.geometry;
  const CacheTensor& tensor = is_key ? cache.key : cache.value;
  const float scale = is_float8(geometry.element_type) ? (is_key ? cache.key_scale : cache.value_scale) : 1.0F;
  for (std::int64_t e = 0; e < geometry.head_size; ++e) {
    const std::int64_t index = (token * geometry.num_kv_heads + head) * geometry.head_size + e;
    const std::uint32_t bits = load_element_bits(source, index, tokens.element_type);
    store_element_bits(tensor.data, tensor.strides.offset(slot.block, head, slot.offset, e), geometry.element_type,
                       convert_bits(bits, tokens.element_type, geometry.element_type, scale));
  }
}

/// One head of all tokens, in their order: of two tokens for one slot the later one stays.
void write_head(const NewTokens& tokens, const PagedCacheView& cache, std::int64_t head) {
  const std::int64_t block_size = cache.geometry.block_size;
  for (std::int64_t token = 0; token < tokens.num_tokens; ++token) {
    const std::int64_t index = tokens.slot_mapping[token];
    if (index < 0) continue;
    const Slot slot{index / block_size, index % block_size};
    write_token(tokens.key, tokens, token, slot, cache, head, true);
    write_token(tokens.value, tokens, token, slot, cache, head, false);
  }
}

void copy_cell(const CacheTensor& source, const CacheTensor& destination, const Slot& from, const Slot& to,
               const CacheGeometry& geometry) {
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t e = 0; e < geometry.head_size; ++e) {
      const std::uint32_t bits = load_element_bits(source.data, source.strides.offset(from.block, head, from.offset, e),
                                                   geometry.element_type);
      store_element_bits(destination.data, destination.strides.offset(to.block, head, to.offset, e),
                         geometry.element_type, bits);
    }
  }
}

void copy_block(const PagedCacheView& source, const PagedCacheView& destination, const BlockCopy& copy) {
  for (std::int64_t token = 0; token < source.geometry.block_size; ++token) {
    const Slot from{copy.source, token};
    const Slot to{copy.destination, token};
    copy_cell(source.key, destination.key, from, to, source.geometry);
    copy_cell(source.value, destination.value, from, to, source.geometry);
  }
}

void validate_block(std::int64_t block, const CacheGeometry& geometry, const char* what) {
  KVARIUM_VALIDATE(block >= 0 && block < geometry.num_blocks, what, " block is ", block, "; use 0 to ",
                   geometry.num_blocks - 1, " (num_blocks - 1)");
}

}  // namespace

void validate_alike(const PagedCacheView& source, const PagedCacheView& destination) {
  CacheGeometry expected = source.geometry;
  expected.layout = destination.geometry.layout;
  expected.num_blocks = destination.geometry.num_blocks;
  KVARIUM_VALIDATE(expected == destination.geometry, "cannot copy blocks of ", to_string(source.geometry), " into ",
                   to_string(destination.geometry), "; only layout and number of blocks may differ");
}

void validate_scales(const PagedCacheView& cache) {
  const auto is_scale = [](float scale) { return std::isfinite(scale) && scale > 0; };
  KVARIUM_VALIDATE(
      !is_float8(cache.geometry.element_type) || (is_scale(cache.key_scale) && is_scale(cache.value_scale)),
      "key_scale ", cache.key_scale, " or value_scale ", cache.value_scale,
      " is no positive finite number; give an fp8 cache scales above 0");
}

void write_cache(const NewTokens& tokens, const PagedCacheView& cache) {
  validate_scales(cache);
  for (std::int64_t token = 0; token < tokens.num_tokens; ++token) {
    slot_of(cache.geometry, tokens.slot_mapping[token], "slot_mapping", token);
  }
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  const HostExecution execution;
  Kokkos::parallel_for("kvarium::write_cache", Policy(execution, 0, cache.geometry.num_kv_heads),
                       [&](std::int64_t head) { write_head(tokens, cache, head); });
  execution.fence();
}

void copy_blocks(const PagedCacheView& source, const PagedCacheView& destination,
                 const std::vector<BlockCopy>& copies) {
  validate_alike(source, destination);
  for (const BlockCopy& copy : copies) {
    validate_block(copy.source, source.geometry, "source");
    validate_block(copy.destination, destination.geometry, "destination");
  }
  for (const BlockCopy& copy : copies) copy_block(source, destination, copy);
}

void gather_cells(const PagedCacheView& cache, const std::vector<std::int64_t>& slots, const DenseCells& cells) {
  const CacheGeometry& geometry = cache.geometry;
  for (std::size_t i = 0; i < slots.size(); ++i) slot_of(geometry, slots[i], "slots", static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const Slot slot = slot_of(geometry, slots[i], "slots", row);
    if (slots[i] < 0) continue;
    copy_cell(cache.key, dense_rows(cells.key, geometry), slot, {0, row}, geometry);
    copy_cell(cache.value, dense_rows(cells.value, geometry), slot, {0, row}, geometry);
  }
}

void scatter_cells(const DenseCells& cells, const std::vector<std::int64_t>& slots, const PagedCacheView& cache) {
  const CacheGeometry& geometry = cache.geometry;
  for (std::size_t i = 0; i < slots.size(); ++i) slot_of(geometry, slots[i], "slots", static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] < 0) continue;
    const auto row = static_cast<std::int64_t>(i);
    const Slot slot = slot_of(geometry, slots[i], "slots", row);
    copy_cell(dense_rows(cells.key, geometry), cache.key, {0, row}, slot, geometry);
    copy_cell(dense_rows(cells.value, geometry), cache.value, {0, row}, slot, geometry);
  }
}

void convert_layout(const PagedCacheView& source, const PagedCacheView& destination) {
  KVARIUM_VALIDATE(source.geometry.num_blocks == destination.geometry.num_blocks, "cannot convert ",
                   source.geometry.num_blocks, " blocks into a cache of ", destination.geometry.num_blocks,
                   " blocks; use equal numbers");
  validate_alike(source, destination);
  for (std::int64_t block = 0; block < source.geometry.num_blocks; ++block) {
    copy_block(source, destination, {block, block});
  }
}

}  // namespace kvarium
