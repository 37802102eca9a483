#pragma once

#include "core/paged_cache_view.hpp"

namespace kvarium {

/// Whether every piece of `piece_bytes` bytes, a power of two, of every token's K and V lies at a multiple of its size.
/// V of split_x: every piece of an element's tokens that begins where a block does.
bool has_aligned_pieces(const PagedCacheView& cache, int piece_bytes);

/// Checks that pieces of a split_x cache are whole: tokens of K lie 16 bytes apart and tokens of V side by side,
/// however far apart groups, heads and blocks are. Errors: InputError.
void validate_whole_pieces(const PagedCacheView& cache);

}  // namespace kvarium
