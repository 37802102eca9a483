#pragma once

#include <cstdint>
#include <vector>

#include "core/paged_cache_view.hpp"

namespace kvarium {

/// New tokens: key and value [num_tokens, num_kv_heads, head_size] of `element_type`, dense,
/// slot_mapping [num_tokens] int64, -1 (or any negative) is padding.
struct NewTokens {
  const void* key = nullptr;
  const void* value = nullptr;
  ElementType element_type = ElementType::float32;
  const std::int64_t* slot_mapping = nullptr;
  std::int64_t num_tokens = 0;
};

/// Appends tokens to a cache: each element is converted exactly or rounded to nearest even; an fp8 cache
/// stores element / scale, saturated; a NaN becomes the quiet NaN of its sign. Equal types copy bits.
/// Errors: InputError for a slot past the cache, and as validate_scales.
void write_cache(const NewTokens& tokens, const PagedCacheView& cache);

/// Errors: InputError unless the geometries differ in layout and number of blocks at most.
void validate_alike(const PagedCacheView& source, const PagedCacheView& destination);

/// Errors: InputError unless both scales of an fp8 cache are positive and finite.
void validate_scales(const PagedCacheView& cache);

/// One physical block copied to another.
struct BlockCopy {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// Copies whole blocks of `source` into `destination` bit for bit; geometries may differ in layout and
/// number of blocks, nothing else. Within one cache, copies run in the order given.
/// Errors: InputError for ids out of range or unlike geometries.
void copy_blocks(const PagedCacheView& source, const PagedCacheView& destination, const std::vector<BlockCopy>& copies);

/// Dense cells: key and value [num_slots, num_kv_heads, head_size] of the cache's element type.
struct DenseCells {
  void* key = nullptr;
  void* value = nullptr;
};

/// Copies the cells of `slots` out of the cache, bit for bit. A negative slot leaves its row untouched.
/// Errors: InputError for a slot past the cache.
void gather_cells(const PagedCacheView& cache, const std::vector<std::int64_t>& slots, const DenseCells& cells);

/// Copies dense cells into `slots` of the cache, bit for bit. Negative slots are padding.
/// Errors: InputError for a slot past the cache.
void scatter_cells(const DenseCells& cells, const std::vector<std::int64_t>& slots, const PagedCacheView& cache);

/// Copies every cell of `source` into `destination`, another layout of the same shape and type; exact.
/// Errors: InputError for unlike geometries.
void convert_layout(const PagedCacheView& source, const PagedCacheView& destination);

}  // namespace kvarium
